// How well a name fits what a person typed: 0 is not at all. Words in any order, without accents; beginnings count most.
export function score(name: string, typed: string): number {
  const wish = plain(typed);
  if (!wish) return 1;
  const text = plain(name);
  if (text.startsWith(wish)) return 100;
  const words = text.split(/[^\p{L}\p{N}]+/u);
  let points = 0;
  for (const part of wish.split(/\s+/)) {
    if (words.some((word) => word.startsWith(part))) points += 20;
    else if (text.includes(part)) points += 8;
    else if (inOrder(text, part)) points += 2;
    else return 0;
  }
  return points / wish.split(/\s+/).length;
}

const plain = (text: string): string => text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Each letter begins a word or follows the letter before: `nap` fits `notes app`. At least three letters, or too much would fit. */
function inOrder(text: string, part: string): boolean {
  if (part.length < 3) return false;
  const reach = (letter: number, from: number): boolean => {
    if (letter === part.length) return true;
    for (let at = from; at < text.length; at++) {
      const close = at === from && letter > 0;
      const begins = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);
      if (text[at] === part[letter] && (close || begins) && reach(letter + 1, at + 1)) return true;
    }
    return false;
  };
  return reach(0, 0);
}

/** The best of a list first; what does not fit is left out. */
export function best<T>(list: T[], typed: string, name: (one: T) => string, most: number): T[] {
  return list
    .map((one, at) => ({ one, at, points: score(name(one), typed) }))
    .filter((one) => one.points > 0)
    .sort((a, b) => b.points - a.points || a.at - b.at)
    .slice(0, most)
    .map(({ one }) => one);
}
