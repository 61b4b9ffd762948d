/** The text of SQL without comments, quotes around names, and layout, so that it can be compared. */
export function withoutLayout(sql: string): string {
  return sql
    .replace(/--.*$/gm, '')
    .replaceAll('"', '')
    .replace(/\s*([(),])\s*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
