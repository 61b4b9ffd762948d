/** The text of a statement that is written for both databases, as SQLite understands it. */

/** Returns the text without row locks and with `?` as parameters, and for each `?` the place of its value. */
export function textOnSqlite(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  const ownText = text.replace(/\s+FOR UPDATE\s*$/, '').replace(/\$(\d+)/g, (_, place: string) => {
    places.push(Number(place) - 1);
    return '?';
  });
  return { text: ownText, places };
}
