/** Pages of rows, newest first. New rows shift nothing, because a page continues after an id. */
export interface Page<Row> {
  rows: Row[];
  /** The last id of this page, after which the next one continues; undefined on the last page. */
  next: number | undefined;
}

/** Returns the page of rows of which one more than `rowsMax` was asked for. */
export function pageOf<Row extends { id: number }>(found: Row[], rowsMax: number): Page<Row> {
  const rows = found.slice(0, rowsMax);
  return { rows, next: found.length > rowsMax ? rows.at(-1)?.id : undefined };
}
