// The person who answers for a row: one of the project, whatever resources work on it.
import { Field, value } from "../../app/field";
import { MemberChoices, useMembers } from "../../projects/members";
import { board } from "../../words/board";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { patch } from "../edit/patch";
import type { TaskRow } from "../plan/row";

export function Responsible({ desk, row }: { desk: Desk; row: TaskRow }) {
  desk.plan.watch();
  const members = useMembers(desk.projectId);
  const choose = (person: string) => void desk.edits.run(patch(desk, row, { assignee: person || null }));
  return (
    <Field label={t(board.person)}>
      <select value={row.assignee ?? ""} disabled={!desk.canAuthor.value || !row.can_edit} onChange={(event) => choose(value(event))}>
        <MemberChoices members={members.data} chosen={row.assignee} />
      </select>
    </Field>
  );
}
