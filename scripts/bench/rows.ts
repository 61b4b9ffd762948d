/** The rows of the table: their labels, yardsticks and bounds. Pure. */

interface RowDefinition {
  label: string;
  unit: string;
  /** The bounds are multiples of it. */
  yardstick?: 'E' | 'L';
  /** The bound that must be met, and the goal. */
  must?: number;
  reach?: number;
  /** Whether larger values are better. */
  isMore?: boolean;
}

/** A row without bounds. */
const told = (label: string, unit: string) => ({ label, unit });

/** A row with a bound that must be met, and a goal. */
const bound = (label: string, unit: string, must: number, reach: number) => ({
  ...told(label, unit),
  must,
  reach,
});

/** The same where larger values are better. */
const atLeast = (label: string, unit: string, must: number, reach: number) => ({
  ...bound(label, unit, must, reach),
  isMore: true,
});

const E = { yardstick: 'E' } as const;
const L = { yardstick: 'L' } as const;

export const rowTable = {
  embed: told('E: one query embedded alone, p50', 'ms'),
  embedWorkers: told('L: two workers that embed queries', '/s'),
  httpP50: { ...bound('one client over HTTP, p50', 'ms', 3.5, 2.2), ...E },
  httpP99: { ...bound('one client over HTTP, p99', 'ms', 10, 6), ...E },
  load: { ...atLeast('many clients, closed loop', '/s', 0.3, 0.5), ...L },
  failures: bound('requests that failed', '', 0, 0),
  ledger: bound('differences in the ledger', '', 0, 0),
  retrievalP50: { ...bound('retrieval and citation, p50', 'ms', 2.5, 1.2), ...E },
  retrievalP99: { ...told('retrieval and citation, p99', 'ms'), ...E },
  recall: atLeast('dense candidates, recall of the exact top 50', '', 0.96, 0.985),
  recallOfTen: atLeast('dense candidates, recall of the exact top 10', '', 0.97, 0.99),
  growth: bound('grown index: retrieval, p50 ratio', '', 2, 1.5),
  grownP50: told('grown index: retrieval and citation, p50', 'ms'),
  grownRecall: atLeast('grown index: recall of the exact top 10', '', 0.97, 0.99),
  grownMemory: told('grown index: memory of a process that searches', 'MB'),
  grownFile: told('grown index: database file', 'MB'),
  building: atLeast('index building against embedding alone', '', 0.9, 0.97),
  memory: bound("server's resident memory", 'MB', 800, 400),
  file: bound('database file', 'MB', 1600, 1000),
  start: bound('start to /health 200', 's', 2, 1),
  adding: bound('one client while `index add` runs, p99 ratio', '', 2, 2),
  backup: bound('one client while `backup` runs, p99 ratio', '', 2, 1.5),
  optimizing: bound('one client while `index optimize` runs, p99 ratio', '', 2, 1.5),
} satisfies Record<string, RowDefinition>;

type RowName = keyof typeof rowTable;

/** The measured values. A row is absent if its section did not run. */
export type Figures = Partial<Record<RowName, number>>;

export interface Row extends RowDefinition {
  name: RowName;
  value: number;
  multiple?: number;
  met?: 'no' | 'must' | 'reach';
}

/** Returns the measured rows in the order of the table. */
export function toRows(figures: Figures): Row[] {
  return Object.entries(rowTable).flatMap(([key, definition]: [string, RowDefinition]) => {
    const name = key as RowName;
    const value = figures[name];
    if (value === undefined) return [];
    const row: Row = { name, ...definition, value };
    const unit = yardstickOf(definition, figures);
    if (unit !== undefined) row.multiple = value / unit;
    const met = judge(row.multiple ?? value, definition);
    if (met !== undefined) row.met = met;
    return [row];
  });
}

function yardstickOf({ yardstick }: RowDefinition, figures: Figures): number | undefined {
  if (yardstick === undefined) return undefined;
  return yardstick === 'E' ? figures.embed : figures.embedWorkers;
}

function judge(value: number, { must, reach, isMore = false }: RowDefinition): Row['met'] {
  if (must === undefined || reach === undefined) return undefined;
  const isWithin = (bound: number): boolean => (isMore ? value >= bound : value <= bound);
  if (isWithin(reach)) return 'reach';
  return isWithin(must) ? 'must' : 'no';
}
