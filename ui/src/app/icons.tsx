// The icons of the application: 16 px outlines in the colour of the text, hidden from screen readers.
import type { JSX } from "preact";

const PATHS = {
  home: "M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z",
  work: "M3 4.5l1.5 1.5L7 3.5M3 11l1.5 1.5L7 10M9 5h5M9 11.5h5",
  bell: "M4 7a4 4 0 0 1 8 0v3l1.5 2h-11L4 10zM6.5 14h3",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3",
  gear: "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v1.6M8 12.6v1.6M1.8 8h1.6M12.6 8h1.6M3.6 3.6l1.1 1.1M11.3 11.3l1.1 1.1M12.4 3.6l-1.1 1.1M4.7 11.3l-1.1 1.1",
  people:
    "M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3.2a2.4 2.4 0 0 1 0 4.6M12 9.8c1.6.5 2.5 1.8 2.5 3.7",
  gantt: "M2 3.5h6M5 8h6M8 12.5h6",
  board: "M2.5 2.5h3v11h-3zM6.5 2.5h3v7h-3zM10.5 2.5h3v9h-3z",
  chart: "M2.5 2.5v11h11M5 10.5c3 0 3-5.5 5-5.5s1.5 0 3.5-1",
  risk: "M8 2.2 14.2 13.500H1.800zM8 6.500v3.200M8 11.600v.2",
  sprint: "M13.5 8A5.5 5.5 0 1 1 11 3.400M11.5 1v3h-3",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5 6.5 12 13 4.5",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  left: "M10 4 6 8l4 4",
  up: "M4 10l4-4 4 4",
  undo: "M6 3 3 6l3 3M3 6h6.500a3.5 3.5 0 0 1 0 7H6",
  redo: "M10 3l3 3-3 3M13 6H6.500a3.5 3.5 0 0 0 0 7H10",
  indent: "M2.5 3h11M7.5 8h6M2.5 13h11M2.5 6l2 2-2 2",
  outdent: "M2.5 3h11M7.5 8h6M2.5 13h11M4.5 6l-2 2 2 2",
  link: "M6.5 9.500l3-3M7 4.5 8.3 3.200a2.7 2.7 0 0 1 3.8 0l.7.700a2.7 2.7 0 0 1 0 3.800L11.5 9M9 11.500l-1.3 1.300a2.7 2.7 0 0 1-3.8 0l-.7-.700a2.7 2.7 0 0 1 0-3.800L4.5 7",
  filter: "M2 3.500h12L9.5 8.500v4l-3 1.500v-5.500z",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.200v3.800M8 5v.2",
  warn: "M8 2.2 14.2 13.500H1.800zM8 6.500v3.200M8 11.600v.2",
  today: "M3 3.500h10v10H3zM3 6.500h10M5.5 2v2.500M10.5 2v2.500M8 9v2",
  fit: "M2 8h12M4.5 5.5 2 8l2.5 2.500M11.5 5.5 14 8l-2.5 2.5",
  upload: "M8 10.500V3M5 5.5 8 2.500l3 3M3 10v3.500h10V10",
  download: "M8 2.500V10M5 7.500l3 3 3-3M3 10.500v3h10v-3",
  play: "M5 3l8 5-8 5z",
  stop: "M4 4h8v8H4z",
  more: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  flag: "M4 14V2.500h8L10 5.500l2 3H4",
  out: "M6 3H3v10h3M10 5l3 3-3 3M13 8H6.5",
  history: "M2.5 8A5.5 5.5 0 1 0 4.5 3.700L2.5 5.500M2.5 2.500v3h3M8 5v3l2 1.5",
  program: "M2.5 3.500h5v4h-5zM8.5 8.500h5v4h-5zM7.5 5.500H11v3",
  bookmark: "M4 2.500h8v11L8 10.500l-4 3z",
  template: "M2.5 2.500h8v8h-8zM5.5 13.500h8v-8",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }): JSX.Element {
  const width = name === "more" ? 2.2 : 1.4;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width={width}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
