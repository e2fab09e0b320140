// A component that is loaded when it is first shown.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (!found) {
        void load().then((module) => {
          found = module.default;
          redraw((n) => n + 1);
        });
      }
    }, []);
    const View = found;
    return View ? <View {...props} /> : null;
  };
}
