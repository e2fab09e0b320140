// The preview of a table: what each column means can be changed before anything is kept.
import type { Schemas } from "../api/client";
import { Icon } from "../app/icons";
import { imports as words } from "../words/imports";
import { type Message, t } from "../words/words";
import { reasonText } from "../projects/reasons";
import { Counts, Losses } from "./report";

interface PreviewProps {
  found: Schemas["TablePreview"];
  chosen: Record<number, string>;
  order: string;
  choose: (index: number, field: string) => void;
  setOrder: (order: string) => void;
}

const ORDERS = ["auto", "mdy", "dmy", "iso"] as const;
const MOST = 20;

export const fieldName = (field: string): string => {
  const message = (words as Record<string, Message>)[field];
  return message ? t(message) : field;
};

export function TablePreview({ found, chosen, order, choose, setOrder }: PreviewProps) {
  return (
    <section class="card stack">
      <h2>{t(words.preview)}</h2>
      <Counts
        list={[
          [t(words.rows), found.row_count],
          [t(words.tasks), found.task_count],
          [t(words.links), found.dependency_count],
          [t(words.milestones), found.milestone_count],
          [t(words.parked), found.parked_row_count],
        ]}
      />
      {found.parked_row_count > 0 && (
        <p class="import-parked">
          <Icon name="warn" /> {t(words.parkedRow, { n: found.parked_row_count })}
        </p>
      )}
      <label class={found.date_order.is_ambiguous ? "import-order is-asking" : "import-order"}>
        {t(words.dateOrder)}
        <select class="input" value={order} onChange={(event) => setOrder(event.currentTarget.value)}>
          {ORDERS.map((one) => (
            <option key={one} value={one}>
              {t(words[one])}
              {one === "auto" && found.date_order.order !== ("auto" as string)
                ? ` (${t(words[found.date_order.order as "mdy"] ?? words.iso)})`
                : ""}
            </option>
          ))}
        </select>
        {found.date_order.is_ambiguous && order === "auto" && (
          <span>
            <Icon name="warn" /> {t(words.ambiguous)}
          </span>
        )}
      </label>
      <div class="scroll-x import-sheet">
        <table class="table">
          <thead>
            <tr>
              {found.columns.map((column, index) => (
                <th key={column.index}>
                  <span class="clip import-header">{column.header || "–"}</span>
                  <select
                    class={`input is-${column.confidence}`}
                    aria-label={t(words.fieldOf, { name: column.header })}
                    value={chosen[index] ?? column.field ?? ""}
                    onChange={(event) => choose(index, event.currentTarget.value)}
                  >
                    <option value="">{t(words.leaveOut)}</option>
                    {found.available_fields.map((field) => (
                      <option key={field} value={field}>
                        {fieldName(field)}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.sample_rows.slice(0, 6).map((row, at) => (
              <tr key={at}>
                {found.columns.map((column) => (
                  <td key={column.index} class="clip import-cell">
                    {row[column.index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.row_errors.length > 0 && (
        <section class="stack">
          <h3>{t(words.problems)}</h3>
          <ul class="loss-list">
            {found.row_errors.slice(0, MOST).map((one, at) => (
              <li key={at}>
                <b>
                  {t(words.line, { n: one.row })}, {fieldName(one.field)}
                </b>{" "}
                {reasonText(one.message)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Losses losses={found.losses} />
    </section>
  );
}
