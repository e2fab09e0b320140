// The one banner: there is no connection, so everything can be read and nothing is written.
import { readOnly } from "../api/connection";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Icon } from "./icons";

export function Banner() {
  if (!readOnly.value) return null;
  return (
    <div class="banner" role="status">
      <Icon name="warn" /> {t(calls.offline)}
    </div>
  );
}
