/** What operators can be alerted of, the worst first, and from when on. */

export const alertKinds = [
  ...(['searches', 'damage', 'disk', 'lanes', 'certificate', 'backup'] as const),
  ...(['disputes', 'payments'] as const),
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** What an operator chose of one kind, or the default. */
export interface AlertChoice {
  isOn: boolean;
  /** In the unit of its kind; 0 if it has none. */
  threshold: number;
  /** How many searches must fail at least; 0 for other kinds. */
  countMin: number;
}

export interface AlertDescription {
  title: string;
  /** What the threshold is, with its unit; null: it has none. */
  thresholdLabel: string | null;
  thresholdMax: number;
  /** Whether all servers have it together. Otherwise each has its own. */
  isShared: boolean;
  defaults: AlertChoice;
  /** What to do about it. */
  advice: string;
}

const on = (threshold: number, countMin = 0): AlertChoice => ({ isOn: true, threshold, countMin });

export const alertTable: Readonly<Record<AlertKind, AlertDescription>> = {
  searches: {
    title: 'Failing searches',
    thresholdLabel: 'Share of calls that fail in 5 minutes, in percent',
    thresholdMax: 100,
    isShared: false,
    defaults: on(5, 5),
    advice:
      'Look at the other alerts first: a full disk or a damaged file is a cause. Otherwise read the log, from the first error on. A restart helps only if the log names no cause.',
  },
  damage: {
    title: 'Damaged file',
    thresholdLabel: null,
    thresholdMax: 0,
    isShared: false,
    defaults: on(0),
    advice:
      'The log says which part, and how. Look for a failing disk. Then stop the server, restore the last good backup with verbatim restore, and start it.',
  },
  disk: {
    title: 'Disk nearly full',
    thresholdLabel: 'Space that must be left, in MB',
    thresholdMax: 1_000_000,
    isShared: false,
    defaults: on(1_024),
    advice:
      'Free some space on the disk of the database: old backups, logs, other files. Searches go on by themselves as soon as there is room.',
  },
  lanes: {
    title: 'Lanes down',
    thresholdLabel: 'Minutes that a lane must be down',
    thresholdMax: 1_440,
    isShared: false,
    defaults: on(15),
    advice: 'The provider does not answer, or refuses. Searches are answered from the index alone.',
  },
  certificate: {
    title: 'Certificate that expires',
    thresholdLabel: 'Days that must be left',
    thresholdMax: 365,
    isShared: false,
    defaults: on(14),
    advice: 'Renew it, then send the server SIGHUP.',
  },
  backup: {
    title: 'Old backup',
    thresholdLabel: 'Hours since the last backup',
    thresholdMax: 8_760,
    isShared: false,
    defaults: on(48),
    advice:
      'Run verbatim backup FOLDER --keep 7 each night from a timer, and look at why the last run failed.',
  },
  disputes: {
    title: 'Disputed payment',
    thresholdLabel: 'Days that a dispute counts as new',
    thresholdMax: 365,
    isShared: true,
    defaults: on(7),
    advice: 'Answer it at Stripe before its deadline. The page Money lists disputes.',
  },
  payments: {
    title: 'Payment to review',
    thresholdLabel: 'Days that a problem counts as new',
    thresholdMax: 365,
    isShared: true,
    defaults: on(7),
    advice: 'The page Money says what is wrong with each payment.',
  },
};

/** The choices by kind, with defaults where none was made. */
export function choicesOf(
  chosen: readonly (AlertChoice & { kind: string })[],
): Record<AlertKind, AlertChoice> {
  const choice = (kind: AlertKind): AlertChoice =>
    chosen.find((one) => one.kind === kind) ?? alertTable[kind].defaults;
  const entries = alertKinds.map((kind) => [kind, choice(kind)]);
  return Object.fromEntries(entries) as Record<AlertKind, AlertChoice>;
}
