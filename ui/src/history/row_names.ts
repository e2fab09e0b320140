// What the rows of a history are called: by their ids, or by what the entry itself says of them.
import { allPages, api, ok, type Schemas } from "../api/client";

type Record = Schemas["HistoryRecord"];

/** Names by id: tasks, sprints, and members with the people that they are. */
export async function readNames(project: string): Promise<Map<string, string>> {
  const path = { project_pk: project };
  const [tasks, sprints, members] = await Promise.all([
    ok(api.GET("/api/v1/tasks/", { params: { query: { project, page_size: 10000, fields: "id,name" } } })),
    allPages(200, (page) =>
      ok(api.GET("/api/v1/projects/{project_pk}/sprints/", { params: { path, query: { page, page_size: 200 } as never } })),
    ),
    ok(api.GET("/api/v1/projects/{project_pk}/members/", { params: { path } })),
  ]);
  const people = members.flatMap(({ id, user_detail: user }) =>
    user
      ? ([
          [id, user.username],
          [user.id, user.username],
        ] as [string, string][])
      : [],
  );
  return new Map([
    ...people,
    ...sprints.map(({ id, name }): [string, string] => [id, name]),
    ...tasks.results.map(({ id, name }): [string, string] => [id, name]),
  ]);
}

/** Names of deleted tasks by id, for those who may restore them. */
export async function readDeleted(project: string): Promise<Map<string, string>> {
  const { results } = await ok(api.GET("/api/v1/tasks/trash/", { params: { query: { project } } }));
  return new Map(results.map(({ id, name }) => [id, name]));
}

/** The fields of an entry that say what its row is called, or to whom or what it belongs. */
const TELLING = ["name", "title", "username", "user_id", "task_id", "resource_id", "predecessor_id"];

/** The name of the row of an entry, if anything says it. */
export function rowName(entry: Record, nameOf: (value: unknown) => string | null): string | null {
  const told = TELLING.flatMap((field) => entry.diff.filter((one) => one.field === field && !one.hidden)).map((one) => one.new ?? one.old);
  for (const value of [entry.entity_id, ...told]) {
    const name = nameOf(value);
    if (name) return name;
  }
  const plain = entry.diff.find((one) => (one.field === "name" || one.field === "title") && typeof (one.new ?? one.old) === "string");
  return plain ? String(plain.new ?? plain.old) : null;
}
