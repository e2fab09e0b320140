// Names of times that the browser has no words for.
export const dates = {
  week: ["W{n}", "KW {n}", "S{n}", "S{n}"],
} as const;
