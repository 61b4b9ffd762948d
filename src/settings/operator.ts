/** Settings of the operator's pages. */
import type { SettingsPart } from './setting.ts';

export const operatorSettings = {
  operatorPages: {
    kind: 'boolean',
    variable: 'VERBATIM_OPERATOR',
    value: false,
    help: 'whether the pages of the operator are served at the address below, without sign-in, to everybody who can use this machine',
  },
  operatorHost: {
    kind: 'text',
    variable: 'VERBATIM_OPERATOR_HOST',
    value: '127.0.0.1',
    help: 'their address; only 127.0.0.1, ::1, and other addresses of the loopback interface',
  },
  operatorPort: {
    kind: 'integer',
    variable: 'VERBATIM_OPERATOR_PORT',
    value: 9465,
    unit: 'port',
    min: 0,
    max: 65535,
    help: 'their port; 0: any free port',
  },
  operatorThreads: {
    kind: 'integer',
    variable: 'VERBATIM_OPERATOR_THREADS',
    value: 2,
    unit: 'threads',
    help: 'worker threads that read accounts for the operator, who may look while an audit runs; they start with the first read',
  },
  operatorReadsWaitingMax: {
    kind: 'integer',
    variable: 'VERBATIM_OPERATOR_READS_WAITING_MAX',
    value: 32,
    unit: 'reads',
    help: 'reads that may wait for such a thread; beyond it, the response is 503',
  },
  auditsKeptMax: {
    kind: 'integer',
    variable: 'VERBATIM_AUDITS_KEPT_MAX',
    value: 50,
    unit: 'audits',
    help: 'audits of the ledger that were started on these pages and are kept with what they found; one beyond it replaces the oldest',
  },
  auditDifferencesMax: {
    kind: 'integer',
    variable: 'VERBATIM_AUDIT_DIFFERENCES_MAX',
    value: 100,
    unit: 'differences',
    help: 'differences that are kept of each; the rest is counted',
  },
  keepQuestions: {
    kind: 'boolean',
    variable: 'VERBATIM_KEEP_QUESTIONS',
    value: false,
    help: 'whether questions to which the index had nothing close are kept, for the page Questions; tell your customers. Those that were kept are deleted when the server starts without it',
  },
  keptQuestionsMax: {
    kind: 'integer',
    variable: 'VERBATIM_KEPT_QUESTIONS_MAX',
    value: 10_000,
    unit: 'questions',
    help: 'questions that are kept; one beyond it replaces the oldest',
  },
  keptQuestionDaysMax: {
    kind: 'integer',
    variable: 'VERBATIM_KEPT_QUESTION_DAYS_MAX',
    value: 30,
    unit: 'days',
    help: 'how long a question is kept; the deletion runs every `VERBATIM_USAGE_DETAIL_CHECK_MS`',
  },
  historyStepMs: {
    kind: 'integer',
    variable: 'VERBATIM_HISTORY_STEP_MS',
    value: 60_000,
    unit: 'ms',
    help: "time between two samples of the server's numbers, which the pages of the operator show as charts",
  },
  historySamplesMax: {
    kind: 'integer',
    variable: 'VERBATIM_HISTORY_SAMPLES_MAX',
    value: 1_440,
    unit: 'samples',
    help: 'samples that are kept, in memory and in the database: with one a minute, those of 24 hours',
  },
} as const satisfies SettingsPart;
