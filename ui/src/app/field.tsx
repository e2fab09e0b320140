// A labelled field of a form with the message that the server or the page has about it.
import type { ComponentChildren } from "preact";

export function Field({ label, wrong, children }: { label: string; wrong?: string | undefined; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="field">
      <span>{label}</span>
      {children}
      {wrong && (
        <span class="wrong" role="alert">
          {wrong}
        </span>
      )}
    </label>
  );
}

/** The value of an input event. */
export const value = (event: Event): string => (event.currentTarget as HTMLInputElement).value;
