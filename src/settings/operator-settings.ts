/** Settings of the operator's pages. */
import { limit, type SettingsPart } from './setting.ts';

export const operatorSettings = {
  operatorPages: {
    kind: 'boolean',
    variable: 'VERBATIM_OPERATOR',
    value: false,
    help: 'whether the pages of the operator are served at the address below, without sign-in, to everybody who can use this machine',
  },
  operatorHost: {
    kind: 'text',
    value: '127.0.0.1',
    help: 'their address; only 127.0.0.1, ::1, and other addresses of the loopback interface',
  },
  operatorPort: {
    kind: 'integer',
    value: 9465,
    unit: 'port',
    min: 0,
    max: 65535,
    help: 'their port; 0: any free port',
  },
  operatorSessionHoursMax: {
    kind: 'integer',
    value: 12,
    unit: 'hours',
    help: "lifetime of an operator's session at the service's own address, however much it is used",
  },
  operatorSessionIdleMinutesMax: {
    kind: 'integer',
    value: 120,
    unit: 'minutes',
    help: "time after which an operator's idle session ends",
  },
  operatorThreads: limit(
    2,
    'threads',
    'worker threads that read accounts for the operator, who may look while an audit runs; without operators, they do not start',
  ),
  operatorReadsWaitingMax: limit(
    32,
    'reads',
    'reads that may wait for such a thread; beyond it, the response is 503',
  ),
  refundsAtOnceMax: limit(500, 'requests', 'requests that one transaction refunds, the oldest'),
  auditsKeptMax: limit(
    50,
    'audits',
    'audits of the ledger that were started on these pages and are kept with what they found; one beyond it replaces the oldest',
  ),
  auditDifferencesMax: limit(
    100,
    'differences',
    'differences that are kept of each; the rest is counted',
  ),
  keepQuestions: {
    kind: 'boolean',
    value: false,
    help: 'whether questions to which the index had nothing close are kept, for the page Questions; tell your customers. Those that were kept are deleted when the server starts without it',
  },
  keptQuestionsMax: limit(
    10_000,
    'questions',
    'questions that are kept; one beyond it replaces the oldest',
  ),
  keptQuestionDaysMax: {
    kind: 'integer',
    value: 30,
    unit: 'days',
    help: 'how long a question is kept; the deletion runs every `usageDetailCheckMs`',
  },
  updateFolder: {
    kind: 'path',
    value: '',
    help: 'folder of records from which the page Index may update the index, with all that is in it; empty: no updates from there',
  },
  updatesKeptMax: limit(
    50,
    'updates',
    'updates that were started there and are kept with what came of them; one beyond it replaces the oldest',
  ),
  historyStepMs: limit(
    60_000,
    'ms',
    "time between two samples of the server's numbers, which the pages of the operator show as charts",
  ),
  historySamplesMax: limit(
    1_440,
    'samples',
    'samples that are kept, in memory and in the database: with one a minute, those of 24 hours',
  ),
} as const satisfies SettingsPart;
