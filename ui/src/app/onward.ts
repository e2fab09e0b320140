// A page that only leads on to another address.
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { go } from "./router";
import type { PageProps } from "./routes";

export function onward(to: (params: Record<string, string>) => string): Promise<{ default: ComponentType<PageProps> }> {
  const Onward = ({ params }: PageProps) => {
    useEffect(() => go(to(params), true), []);
    return null;
  };
  return Promise.resolve({ default: Onward });
}
