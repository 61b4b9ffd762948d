/** The rows of the table: their labels, yardsticks and bounds. Pure. */

interface RowDefinition {
  label: string;
  unit: string;
  /** The bound is a multiple of it. */
  yardstick?: 'E' | 'L';
  atMost?: number;
  atLeast?: number;
}

export const rowTable = {
  embed: { label: 'E: one query embedded alone, p50', unit: 'ms' },
  embedWorkers: { label: 'L: two workers that embed queries', unit: '/s' },
  httpP50: { label: 'one client over HTTP, p50', unit: 'ms', yardstick: 'E', atMost: 3.5 },
  httpP99: { label: 'one client over HTTP, p99', unit: 'ms', yardstick: 'E', atMost: 10 },
  load: { label: 'many clients, closed loop', unit: '/s', yardstick: 'L', atLeast: 0.3 },
  failures: { label: 'requests that failed', unit: '', atMost: 0 },
  ledger: { label: 'differences in the ledger', unit: '', atMost: 0 },
  retrievalP50: { label: 'retrieval and citation, p50', unit: 'ms', yardstick: 'E', atMost: 2.5 },
  retrievalP99: { label: 'retrieval and citation, p99', unit: 'ms', yardstick: 'E' },
  recall: { label: 'dense candidates, recall of the exact top 50', unit: '', atLeast: 0.96 },
  building: { label: 'index building against embedding alone', unit: '', atLeast: 0.9 },
  memory: { label: "server's resident memory", unit: 'MB', atMost: 800 },
  file: { label: 'database file', unit: 'MB', atMost: 1600 },
  start: { label: 'start to /health 200', unit: 's', atMost: 2 },
  adding: { label: 'one client while `index add` runs, p99 ratio', unit: '', atMost: 2 },
  backup: { label: 'one client while `backup` runs, p99 ratio', unit: '', atMost: 2 },
  optimizing: { label: 'one client while `index optimize` runs, p99 ratio', unit: '', atMost: 2 },
  verifying: { label: '100 printed references beside 16 clients, p50', unit: 'ms', atMost: 1500 },
  verifyingP99: { label: '16 clients beside them, p99 ratio', unit: '', atMost: 1.5 },
} satisfies Record<string, RowDefinition>;

type RowName = keyof typeof rowTable;

/** The measured values. A row is absent if its section did not run. */
export type Figures = Partial<Record<RowName, number>>;

export interface Row extends RowDefinition {
  name: RowName;
  value: number;
  multiple?: number;
  /** Absent without a bound. */
  isMet?: boolean;
}

/** Returns the measured rows in the order of the table. */
export function toRows(figures: Figures): Row[] {
  const yardsticks = { E: figures.embed, L: figures.embedWorkers };
  return Object.entries(rowTable).flatMap(([key, definition]: [string, RowDefinition]) => {
    const name = key as RowName;
    const value = figures[name];
    if (value === undefined) return [];
    const { yardstick, atMost, atLeast } = definition;
    const row: Row = { name, ...definition, value };
    const unit = yardstick && yardsticks[yardstick];
    if (unit !== undefined) row.multiple = value / unit;
    const judged = row.multiple ?? value;
    if (atMost !== undefined) row.isMet = judged <= atMost;
    if (atLeast !== undefined) row.isMet = judged >= atLeast;
    return [row];
  });
}
