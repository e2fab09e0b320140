// What a file does not carry, by its fields: each with a reason and its rows.
import type { Schemas } from "../api/client";
import { Icon } from "../app/icons";
import { imports as words } from "../words/imports";
import { t } from "../words/words";
import { reasonText, rowText } from "./reasons";
import "./losses.css";

export function LossList({ title, none, losses }: { title: string; none: string; losses: Schemas["Loss"][] }) {
  return (
    <section class="stack">
      <h3>{title}</h3>
      {losses.length === 0 ? (
        <p class="row">
          <Icon name="check" /> {none}
        </p>
      ) : (
        <ul class="loss-list">
          {losses.map((loss) => (
            <li key={loss.field + loss.reason}>
              <details>
                <summary>
                  <b>{loss.field}</b> <span class="chip num">{t(words.times, { n: loss.count })}</span>{" "}
                  <span class="quiet">{reasonText(loss.reason)}</span>
                </summary>
                {loss.rows.length > 0 && (
                  <p class="small quiet">
                    {loss.rows.map(rowText).join(" · ")}
                    {loss.count > loss.rows.length && " …"}
                  </p>
                )}
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
