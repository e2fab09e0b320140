// The members of a project or a program: add, give another role, remove.
import { useRef, useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { Allowed } from "../projects/rights";
import { calls } from "../words/calls";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { Part } from "./form";
import type { Owner } from "./webhooks";

const ROLES = [
  [1, words.r1],
  [100, words.r100],
  [200, words.r200],
  [300, words.r300],
  [400, words.r400],
] as const;

/** Both kinds of owners have the same routes; the types of the project stand for both. */
const listOf = ({ kind, id }: Owner) => ({
  path: `/api/v1/${kind}/{owner}/members/` as "/api/v1/projects/{project_pk}/members/",
  params: { owner: id } as never as { project_pk: string },
});
const oneOf = ({ kind, id }: Owner, member: string) => ({
  path: `/api/v1/${kind}/{owner}/members/{id}/` as "/api/v1/projects/{project_pk}/members/{id}/",
  params: { owner: id, id: member } as never as { project_pk: string; id: string },
});

export function PeopleOf({ owner }: { owner: Owner }) {
  const list = listOf(owner);
  const read = useRead(() => ok(api.GET(list.path, { params: { path: list.params } })), [owner.id]);
  const [typed, setTyped] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const found = useRead(
    async () => (typed.trim().length < 2 ? [] : await ok(api.GET("/api/v1/users/search/", { params: { query: { q: typed.trim() } } }))),
    [typed],
  );
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    read.retry();
  });
  const add = (user: string) =>
    act
      .run(() => ok(api.POST(list.path, { params: { path: list.params }, body: { user, role: 100 } })))
      .then((done) => done && setTyped(""));
  const set = (id: string, role: number) =>
    act.run(() =>
      ok(api.PATCH(oneOf(owner, id).path, { params: { path: oneOf(owner, id).params }, body: { role: role as Schemas["Role"] } })),
    );
  const remove = async (id: string, name: string) => {
    if (!(await ask(t(words.removeMember), t(words.removeMemberAsk, { name }), t(words.removeMember), true))) return;
    await act.run(() => ok(api.DELETE(oneOf(owner, id).path, { params: { path: oneOf(owner, id).params } })));
    search.current?.focus();
  };
  return (
    <Part title={t(words.projectMembers)} error={act.error}>
      <Allowed right="keepMembers" told>
        <input
          ref={search}
          type="search"
          class="input"
          placeholder={t(words.addMember)}
          aria-label={t(words.addMember)}
          value={typed}
          onInput={(event) => setTyped(value(event))}
        />
        {found.error && <Failure error={found.error} retry={found.retry} />}
        {(found.data ?? []).length > 0 && (
          <div class="row wrap">
            {found
              .data!.filter((user) => !read.data?.some((one) => one.user === user.id))
              .map((user) => (
                <button key={user.id} type="button" class="button small" onClick={() => void add(user.id)}>
                  <Icon name="plus" size={12} /> {user.display_name}
                </button>
              ))}
          </div>
        )}
        <Shown read={read}>
          {(members) => (
            <ul class="setting-list">
              {members.map((one) => {
                const name = one.user_detail?.username ?? "";
                return (
                  <li key={one.id} class="row wrap">
                    <b class="grow">{name}</b>
                    <select
                      class="input setting-small"
                      disabled={readOnly.value}
                      aria-label={`${t(words.role)}: ${name}`}
                      value={String(one.role)}
                      onChange={(event) => void set(one.id, Number(event.currentTarget.value))}
                    >
                      {ROLES.map(([role, text]) => (
                        <option key={role} value={String(role)}>
                          {t(text)}
                        </option>
                      ))}
                    </select>
                    <button type="button" class="icon" aria-label={`${t(calls.remove)}: ${name}`} onClick={() => void remove(one.id, name)}>
                      <Icon name="close" />
                    </button>
                  </li>
                );
              })}
            </ul>
          )}
        </Shown>
      </Allowed>
    </Part>
  );
}
