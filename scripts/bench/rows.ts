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

export const rowTable = {
  embed: { label: 'E: one query embedded alone, p50', unit: 'ms' },
  embedWorkers: { label: 'L: two workers that embed queries', unit: '/s' },
  httpP50: {
    label: 'one client over HTTP, p50',
    unit: 'ms',
    yardstick: 'E',
    must: 3.5,
    reach: 2.2,
  },
  httpP99: {
    label: 'one client over HTTP, p99',
    unit: 'ms',
    yardstick: 'E',
    must: 10,
    reach: 6,
  },
  load: {
    label: 'many clients, closed loop',
    unit: '/s',
    yardstick: 'L',
    must: 0.3,
    reach: 0.5,
    isMore: true,
  },
  failures: { label: 'requests that failed', unit: '', must: 0, reach: 0 },
  ledger: { label: 'differences in the ledger', unit: '', must: 0, reach: 0 },
  retrievalP50: {
    label: 'retrieval and citation, p50',
    unit: 'ms',
    yardstick: 'E',
    must: 2.5,
    reach: 1.2,
  },
  retrievalP99: { label: 'retrieval and citation, p99', unit: 'ms', yardstick: 'E' },
  recall: {
    label: 'dense candidates, recall of the exact top 50',
    unit: '',
    must: 0.96,
    reach: 0.985,
    isMore: true,
  },
  recallOfTen: {
    label: 'dense candidates, recall of the exact top 10',
    unit: '',
    must: 0.97,
    reach: 0.99,
    isMore: true,
  },
  growth: {
    label: 'grown index: retrieval, p50 ratio',
    unit: '',
    must: 2,
    reach: 1.5,
  },
  grownP50: { label: 'grown index: retrieval and citation, p50', unit: 'ms' },
  grownRecall: {
    label: 'grown index: recall of the exact top 10',
    unit: '',
    must: 0.97,
    reach: 0.99,
    isMore: true,
  },
  grownMemory: { label: 'grown index: memory of a process that searches', unit: 'MB' },
  grownFile: { label: 'grown index: database file', unit: 'MB' },
  building: {
    label: 'index building against embedding alone',
    unit: '',
    must: 0.9,
    reach: 0.97,
    isMore: true,
  },
  memory: { label: "server's resident memory", unit: 'MB', must: 800, reach: 400 },
  file: { label: 'database file', unit: 'MB', must: 1600, reach: 1000 },
  start: { label: 'start to /health 200', unit: 's', must: 2, reach: 1 },
  adding: {
    label: 'one client while `index add` runs, p99 ratio',
    unit: '',
    must: 2,
    reach: 2,
  },
  backup: {
    label: 'one client while `backup` runs, p99 ratio',
    unit: '',
    must: 2,
    reach: 1.5,
  },
  optimizing: {
    label: 'one client while `index optimize` runs, p99 ratio',
    unit: '',
    must: 2,
    reach: 1.5,
  },
} as const satisfies Record<string, RowDefinition>;

export type RowName = keyof typeof rowTable;

/** The measured values. A row is absent if its section did not run. */
export type Figures = Partial<Record<RowName, number>>;

export interface Row {
  name: RowName;
  label: string;
  value: number;
  unit: string;
  multiple?: number;
  yardstick?: 'E' | 'L';
  must?: number;
  reach?: number;
  met?: 'no' | 'must' | 'reach';
}

/** Returns the measured rows in the order of the table. */
export function toRows(figures: Figures): Row[] {
  return Object.entries(rowTable).flatMap(([key, definition]: [string, RowDefinition]) => {
    const name = key as RowName;
    const value = figures[name];
    if (value === undefined) return [];
    const { isMore = false, ...shown } = definition;
    const unit = yardstickOf(definition, figures);
    const multiple = unit === undefined ? {} : { multiple: value / unit };
    const met = judge(multiple.multiple ?? value, definition, isMore);
    return [{ name, ...shown, value, ...multiple, ...(met === undefined ? {} : { met }) }];
  });
}

function yardstickOf({ yardstick }: RowDefinition, figures: Figures): number | undefined {
  if (yardstick === undefined) return undefined;
  return yardstick === 'E' ? figures.embed : figures.embedWorkers;
}

function judge(
  value: number,
  { must, reach }: RowDefinition,
  isMore: boolean,
): Row['met'] | undefined {
  if (must === undefined || reach === undefined) return undefined;
  const isWithin = (bound: number): boolean => (isMore ? value >= bound : value <= bound);
  if (isWithin(reach)) return 'reach';
  return isWithin(must) ? 'must' : 'no';
}
