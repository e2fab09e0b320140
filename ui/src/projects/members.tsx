// The people of a project, as choices of a person who is responsible.
import { api, ok } from "../api/client";
import { useRead } from "../api/read";
import { board } from "../words/board";
import { inspect } from "../words/inspect";
import { t } from "../words/words";

export interface Member {
  id: string;
  name: string;
}

/** The members of a project, read once for a page. */
export function useMembers(project: string) {
  return useRead(async (): Promise<Member[]> => {
    const rows = await ok(api.GET("/api/v1/projects/{project_pk}/members/", { params: { path: { project_pk: project } } }));
    return rows.map((one) => ({ id: one.user_detail?.id ?? one.id, name: one.user_detail?.username ?? "" }));
  }, [project]);
}

/** The choices of a list of people: nobody, the members, and somebody who was chosen and has left the project since. */
export function MemberChoices({ members, chosen }: { members: Member[] | null; chosen: string | null }) {
  const isKnown = !chosen || members?.some((one) => one.id === chosen);
  return (
    <>
      <option value="">{t(board.nobody)}</option>
      {!isKnown && <option value={chosen}>{members ? t(inspect.formerMember) : "…"}</option>}
      {members?.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name}
        </option>
      ))}
    </>
  );
}
