// What a person may do in the open project or program, by their role. The server decides; pages only offer nothing that it would refuse.
import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { settings as words } from "../words/settings";
import { type Message, t } from "../words/words";

/** What the server says of the place and of the person in it. */
export interface Place {
  my_role: number | null;
  can_author?: boolean;
  my_facets?: { is_scrum_master: boolean; is_product_owner: boolean };
  is_archived?: boolean;
  is_closed?: boolean;
}

const [VIEWER, MEMBER, RESOURCE_MANAGER, MANAGER, OWNER] = [1, 100, 200, 300, 400] as const;

/** The lowest role for each action: the part of the server's table that the pages ask for. */
const LEAST = {
  read: VIEWER,
  author: MEMBER,
  takePart: MEMBER,
  runSprints: MEMBER,
  decideScope: MEMBER,
  rateSprints: RESOURCE_MANAGER,
  arrangeBoard: RESOURCE_MANAGER,
  link: RESOURCE_MANAGER,
  seeCapacity: RESOURCE_MANAGER,
  editProject: RESOURCE_MANAGER,
  keepCalendars: RESOURCE_MANAGER,
  manage: MANAGER,
  keepLinks: MANAGER,
  export: MANAGER,
  bringIn: MANAGER,
  useTemplates: MANAGER,
  keepMembers: OWNER,
  own: OWNER,
} as const;

/** What is still possible in an archived project or a closed program. */
const KEPT: readonly Right[] = ["read", "seeCapacity", "keepLinks", "export", "own"];

export type Right = keyof typeof LEAST;

export function may(place: Place | null, right: Right): boolean {
  if (!place || place.my_role === null || place.my_role < LEAST[right]) return false;
  if ((place.is_archived || place.is_closed) && !KEPT.includes(right)) return false;
  if (right === "author") return place.can_author ?? true;
  if (right !== "decideScope" || place.my_role >= MANAGER) return true;
  return Boolean(place.my_facets?.is_scrum_master || place.my_facets?.is_product_owner);
}

/** The place that the page is about; null while it is being read, undefined outside of one. */
export const Here = createContext<Place | null | undefined>(undefined);

/** Whether this person may do something here. Outside of a project or program the server alone decides. */
export function useMay(right: Right): boolean {
  const place = useContext(Here);
  return place === undefined || may(place, right);
}

const NAMES: Record<number, Message> = {
  [VIEWER]: words.r1,
  [MEMBER]: words.r100,
  [RESOURCE_MANAGER]: words.r200,
  [MANAGER]: words.r300,
  [OWNER]: words.r400,
};

/** Controls for those who have a right. Others see them, cannot use them, and are told who can if `told` is set. */
export function Allowed({ right, told, children }: { right: Right; told?: boolean; children: ComponentChildren }) {
  const place = useContext(Here);
  const open = useMay(right);
  const archived = place?.is_archived || place?.is_closed;
  return (
    <fieldset class="allowed" disabled={!open}>
      {told && place && !open && (
        <p class="quiet small">
          {archived && place.my_role !== null && place.my_role >= LEAST[right]
            ? t(words.archivedOnly)
            : t(words.neededRole, { role: t(NAMES[LEAST[right]]!) })}
        </p>
      )}
      {children}
    </fieldset>
  );
}
