// Something that is shown only now: a secret or an address, with a button that copies it.
import { refuse, toast } from "../app/toast";
import { settings as words } from "../words/settings";
import { t } from "../words/words";

export function ShownOnce({ text, value }: { text: string; value: string }) {
  const copy = () =>
    void (navigator.clipboard?.writeText(value) ?? Promise.reject()).then(
      () => toast(t(words.copied)),
      () => refuse(value),
    );
  return (
    <div class="token-new stack" role="status">
      <b>{text}</b>
      <div class="row">
        <code class="grow setting-code">{value}</code>
        <button type="button" class="button small" onClick={copy}>
          {t(words.copy)}
        </button>
      </div>
    </div>
  );
}
