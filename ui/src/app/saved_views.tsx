// Views of a page that a person gave a name: each is a query of the address, kept in this browser, and can be sent as a link.
import { useState } from "preact/hooks";
import { arrange as words } from "../words/arrange";
import { t } from "../words/words";
import { value } from "./field";
import { Icon } from "./icons";
import { MenuButton } from "./menu";
import { refuse, toast } from "./toast";

export interface SavedView {
  name: string;
  query: string;
}

interface SavedViewsProps {
  /** Where the views are kept; one list for each page of a project. */
  kept: string;
  /** The path of the page, for the link. */
  path: string;
  /** What the page shows now. */
  query: () => string;
  show: (query: string) => void;
}

export function readViews(kept: string): SavedView[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(kept) ?? "[]");
    return Array.isArray(found)
      ? found.filter((one): one is SavedView => typeof one?.name === "string" && typeof one?.query === "string")
      : [];
  } catch {
    return [];
  }
}

/** Keeps the views; answers whether the browser has room for them. */
export function keepViews(kept: string, views: SavedView[]): boolean {
  try {
    localStorage.setItem(kept, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

/** The list with a view under its name, in place of the one before. */
export const withView = (views: SavedView[], added: SavedView): SavedView[] =>
  [...views.filter((one) => one.name !== added.name), added].sort((a, b) => a.name.localeCompare(b.name));

export function SavedViews(props: SavedViewsProps) {
  return (
    <MenuButton label={t(words.views)} icon="bookmark">
      {(close) => <Views {...props} close={close} />}
    </MenuButton>
  );
}

function Views({ kept, path, query, show, close }: SavedViewsProps & { close: () => void }) {
  const [views, setViews] = useState(() => readViews(kept));
  const [name, setName] = useState("");
  const save = (event: Event) => {
    event.preventDefault();
    const wish = name.trim();
    if (!wish) return;
    if (!keepViews(kept, withView(views, { name: wish, query: query() }))) return refuse(t(words.notKept));
    toast(t(words.viewSaved, { name: wish }));
    close();
  };
  const remove = (gone: SavedView) => {
    const next = views.filter((one) => one !== gone);
    keepViews(kept, next);
    setViews(next);
  };
  const copy = () => {
    const link = `${location.origin}${path}?${query()}`;
    void (navigator.clipboard?.writeText(link) ?? Promise.reject()).then(
      () => toast(t(words.copied)),
      () => refuse(link),
    );
    close();
  };
  return (
    <>
      <button type="button" onClick={() => (show(""), close())}>
        {t(words.usualView)}
      </button>
      {views.map((one) => (
        <div key={one.name} class="row view-line">
          <button type="button" class="grow" onClick={() => (show(one.query), close())}>
            {one.name}
          </button>
          <button type="button" class="icon" aria-label={t(words.removeView, { name: one.name })} onClick={() => remove(one)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
      {views.length === 0 && <p class="small quiet menu-note">{t(words.noViews)}</p>}
      <hr />
      <form class="row view-line" onSubmit={save}>
        <input
          class="input"
          maxLength={64}
          placeholder={t(words.viewName)}
          aria-label={t(words.viewName)}
          value={name}
          onInput={(event) => setName(value(event))}
          onKeyDown={(event) => event.key.length === 1 && event.stopPropagation()}
        />
        <button type="submit" class="button small">
          {t(words.saveView)}
        </button>
      </form>
      <button type="button" onClick={copy}>
        {t(words.copyView)}
      </button>
      <p class="small quiet menu-note">{t(words.viewsHere)}</p>
    </>
  );
}
