/**
 * The one table of settings, and the only file that reads the environment. Every queue, cache,
 * body, wait, retry and batch has its limit here, with the unit at the end of its name.
 */
import { availableParallelism } from 'node:os';
import { VerbatimError } from './errors.ts';

interface Setting<T extends string | number> {
  variable: string;
  value: T;
  help: string;
}

const cores = availableParallelism();

export const settingsTable = {
  database: {
    variable: 'VERBATIM_DB',
    value: 'verbatim.db',
    help: 'the SQLite file with index, keys and ledger',
  },
  model: {
    variable: 'VERBATIM_MODEL',
    value: '',
    help: 'folder of the embedding model; empty: the one that comes with Verbatim',
  },
  host: { variable: 'VERBATIM_HOST', value: '0.0.0.0', help: 'address to listen on' },
  port: { variable: 'VERBATIM_PORT', value: 8080, help: 'port to listen on; 0: any free one' },
  searchThreads: {
    variable: 'VERBATIM_SEARCH_THREADS',
    value: cores,
    help: 'worker threads that embed queries and search (default: the cores)',
  },
  embedThreads: {
    variable: 'VERBATIM_EMBED_THREADS',
    value: cores,
    help: 'worker threads that embed documents in a build (default: the cores)',
  },
  requestsPerMinute: {
    variable: 'VERBATIM_REQUESTS_PER_MINUTE',
    value: 120,
    help: 'burst and refill of the token bucket of a key that has no rate of its own',
  },
  inFlightPerKeyMax: {
    variable: 'VERBATIM_IN_FLIGHT_PER_KEY_MAX',
    value: 8,
    help: 'searches in flight for a key that has no cap of its own',
  },
  inFlightMax: {
    variable: 'VERBATIM_IN_FLIGHT_MAX',
    value: 64,
    help: 'searches in flight in all; above it the answer is 503',
  },
  requestTimeoutMs: {
    variable: 'VERBATIM_REQUEST_TIMEOUT_MS',
    value: 10_000,
    help: 'wall-clock limit of one search; after it 504 and the credit back',
  },
  bodyTimeoutMs: {
    variable: 'VERBATIM_BODY_TIMEOUT_MS',
    // The web framework closes a silent connection after 8 to 12 seconds, without an answer.
    value: 5_000,
    help: 'wait for a request body; after it 408',
  },
  bodyBytesMax: {
    variable: 'VERBATIM_BODY_BYTES_MAX',
    value: 64 * 1024,
    help: 'size of a request body; above it 413',
  },
  drainTimeoutMs: {
    variable: 'VERBATIM_DRAIN_TIMEOUT_MS',
    value: 15_000,
    help: 'wait for searches in flight after SIGTERM',
  },
  rateBucketsMax: {
    variable: 'VERBATIM_RATE_BUCKETS_MAX',
    value: 10_000,
    help: 'keys whose rate is remembered at a time',
  },
  settleDelayMs: {
    variable: 'VERBATIM_SETTLE_DELAY_MS',
    value: 20,
    help: 'wait of a settlement for a hold to share its transaction with',
  },
  usageWaitMs: {
    variable: 'VERBATIM_USAGE_WAIT_MS',
    value: 500,
    help: 'wait of a usage call for the searches just answered to be counted',
  },
  ledgerBatchMax: {
    variable: 'VERBATIM_LEDGER_BATCH_MAX',
    value: 256,
    help: 'ledger operations that share one transaction',
  },
  ledgerTriesMax: {
    variable: 'VERBATIM_LEDGER_TRIES_MAX',
    value: 5,
    help: 'tries to write what a search came to, while another process holds the lock',
  },
  lockWaitMs: {
    variable: 'VERBATIM_LOCK_WAIT_MS',
    value: 5_000,
    help: 'wait for another process that is writing the database',
  },
  queryTermsMax: {
    variable: 'VERBATIM_QUERY_TERMS_MAX',
    value: 64,
    help: 'words of a query that the full-text search looks up',
  },
  postingsMax: {
    variable: 'VERBATIM_POSTINGS_MAX',
    value: 6_000,
    help: 'matches that the full-text search of a query walks',
  },
  denseScannedMax: {
    variable: 'VERBATIM_DENSE_SCANNED_MAX',
    value: 32_000,
    help: 'documents that the dense search looks at, in the cells nearest to the query',
  },
  candidatesMax: {
    variable: 'VERBATIM_CANDIDATES_MAX',
    value: 100,
    help: 'candidates that are read, scored and ranked',
  },
  scannedWithoutCellsMax: {
    variable: 'VERBATIM_SCANNED_WITHOUT_CELLS_MAX',
    value: 1_000,
    help: 'size of an index, in documents, that is too small for cells and is scanned',
  },
  cellBytesCachedMax: {
    variable: 'VERBATIM_CELL_BYTES_CACHED_MAX',
    value: 32 * 1024 * 1024,
    help: 'bytes of cells that each search thread keeps in memory',
  },
  pageBytesCachedMax: {
    variable: 'VERBATIM_PAGE_BYTES_CACHED_MAX',
    value: 16 * 1024 * 1024,
    help: 'bytes of the database that each connection keeps in memory',
  },
  documentsPerBatch: {
    variable: 'VERBATIM_DOCUMENTS_PER_BATCH',
    value: 64,
    help: 'documents that are embedded, and written in one transaction, together',
  },
  lineBytesMax: {
    variable: 'VERBATIM_LINE_BYTES_MAX',
    value: 8 * 1024 * 1024,
    help: 'length of a line of input; a longer one is skipped and reported',
  },
  titleCharactersMax: {
    variable: 'VERBATIM_TITLE_CHARACTERS_MAX',
    value: 4_000,
    help: 'length of a title; a record with a longer one is skipped and reported',
  },
  abstractCharactersMax: {
    variable: 'VERBATIM_ABSTRACT_CHARACTERS_MAX',
    value: 100_000,
    help: 'length of an abstract; a record with a longer one is skipped and reported',
  },
  authorsMax: {
    variable: 'VERBATIM_AUTHORS_MAX',
    value: 10_000,
    help: 'authors of a document; a record with more is skipped and reported',
  },
  problemsShownMax: {
    variable: 'VERBATIM_PROBLEMS_SHOWN_MAX',
    value: 20,
    help: 'bad records of a file that are printed; the rest is only counted',
  },
} as const satisfies Record<string, Setting<string | number>>;

type Widened<T> = T extends number ? number : string;

/** Every setting by its name, in the type of its default. */
export type Settings = {
  -readonly [Name in keyof typeof settingsTable]: Widened<(typeof settingsTable)[Name]['value']>;
};

/** Settings that may be 0. All the other numbers are limits, and at least 1. */
const zeroAllowed: ReadonlySet<string> = new Set(['port', 'settleDelayMs']);

/**
 * The settings: what `given` names, else the environment, else the defaults.
 * Throws `usage` naming the variable whose value is no number that fits.
 */
export function readSettings(
  given: Partial<Settings> = {},
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const settings: Record<string, string | number> = {};
  for (const [name, setting] of Object.entries(settingsTable)) {
    const text = environment[setting.variable];
    const isSet = text !== undefined && text.trim() !== '';
    settings[name] = isSet ? parseValue(name, setting, text.trim()) : setting.value;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) settings[name] = value;
  }
  return settings as Settings;
}

function parseValue(name: string, setting: Setting<string | number>, text: string) {
  if (typeof setting.value === 'string') return text;
  const minimum = zeroAllowed.has(name) ? 0 : 1;
  if (/^\d{1,12}$/.test(text) && Number(text) >= minimum) return Number(text);
  throw new VerbatimError(
    'usage',
    `${setting.variable} must be a whole number of at least ${minimum}, not "${text}"`,
  );
}
