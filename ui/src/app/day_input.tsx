// A field for a day, typed or chosen. A browser tells of a year from its first figure on (`0002-07-07`), so a day counts when its
// year has four; and what is half typed stays while the page is drawn again.
import { useEffect, useState } from "preact/hooks";

interface DayInputProps {
  value: string;
  /** Takes a whole day, or an empty text for none. Answers false if the old day is to be shown again. */
  tell: (day: string) => unknown;
  left?: () => void;
  /** Whether there must be a day. */
  required?: boolean;
  disabled?: boolean | undefined;
  wrong?: boolean;
  class?: string;
}

const isWhole = (input: HTMLInputElement): boolean =>
  !input.validity?.badInput && (input.value === "" || Number(input.value.slice(0, 4)) >= 1000);

export function DayInput({ value, tell, left, required, disabled, wrong, class: name }: DayInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => setTyped(null), [value]);
  const back = (input: HTMLInputElement) => {
    input.value = value;
    setTyped(null);
  };
  const onInput = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    setTyped(input.value);
    if (!isWhole(input) || input.value === value || (required && input.value === "")) return;
    void Promise.resolve(tell(input.value)).then((answer) => answer === false && back(input));
  };
  const onBlur = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    if (!isWhole(input) || (required && input.value === "")) back(input);
    left?.();
  };
  return (
    <input
      type="date"
      class={name}
      required={required}
      disabled={disabled}
      aria-invalid={wrong}
      value={typed ?? value}
      onInput={onInput}
      onBlur={onBlur}
    />
  );
}
