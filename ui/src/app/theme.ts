// Light, dark, or what the system wants; and how dense rows are. Kept in the browser.
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
export type Density = "compact" | "normal" | "roomy";

function kept<T extends string>(name: string, usual: T): T {
  try {
    return (localStorage.getItem(name) as T | null) ?? usual;
  } catch {
    return usual;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // a browser without storage forgets the choice, nothing else
  }
}

export const theme = signal<Theme>(kept("planwright.theme", "system"));
export const density = signal<Density>(kept("planwright.density", "normal"));
/** What the system wants. The styles know only the theme that follows from both, so that dark colours stand once. */
const systemDark = signal(false);
/** Rises when colours may have changed, so that canvases are painted again. */
export const paint = signal(0);

export const ROW_HEIGHT: Record<Density, number> = { compact: 24, normal: 28, roomy: 36 };

export function startTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  systemDark.value = dark.matches;
  effect(() => {
    document.documentElement.dataset.theme = theme.value === "system" ? (systemDark.value ? "dark" : "light") : theme.value;
    keep("planwright.theme", theme.value);
    paint.value = paint.peek() + 1;
  });
  effect(() => keep("planwright.density", density.value));
  dark.addEventListener("change", () => (systemDark.value = dark.matches));
  matchMedia("(forced-colors: active)").addEventListener("change", () => paint.value++);
}
