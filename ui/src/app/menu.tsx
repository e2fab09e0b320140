// A menu below its button: arrows move, Esc closes, and it never leaves the window.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons";

interface MenuButtonProps {
  label: string;
  icon?: IconName;
  text?: ComponentChildren;
  class?: string;
  children: (close: () => void) => ComponentChildren;
}

export function MenuButton({ label, icon, text, class: className, children }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={className ?? (text ? "button small plain" : "icon")}
        aria-label={label}
        title={label}
        aria-haspopup="true"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {icon && <Icon name={icon} />}
        {text}
      </button>
      {open && (
        <Menu anchor={button.current!} close={close} label={label}>
          {children(close)}
        </Menu>
      )}
    </>
  );
}

function Menu({ anchor, close, label, children }: { anchor: HTMLElement; close: () => void; label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = box.current!;
    const at = anchor.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - menu.offsetWidth - 8))}px`;
    const below = at.bottom + 4;
    menu.style.top = `${below + menu.offsetHeight > innerHeight - 8 ? Math.max(8, at.top - menu.offsetHeight - 4) : below}px`;
    menu.querySelector<HTMLElement>("button:not(:disabled), input")?.focus();
  }, []);
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node) && !anchor.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const items = [...box.current!.querySelectorAll<HTMLElement>("button:not(:disabled), input")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={box} class="menu" role="group" aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
