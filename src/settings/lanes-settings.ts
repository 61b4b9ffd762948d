/** Settings of the fallback lanes: providers, rate limits, and the cache. */
import { laneNames } from './lane-choice.ts';
import { limit, type SettingsPart } from './setting.ts';

export const laneSettings = {
  lanes: {
    kind: 'list',
    value: '',
    choices: laneNames,
    none: 'none',
    help: 'lanes that are on; empty: all if there is a contact address, else none',
  },
  laneContact: {
    kind: 'text',
    value: '',
    help: 'email address of the operator of this server, sent to every provider',
  },
  webProvider: {
    kind: 'list',
    value: 'crossref',
    choices: ['crossref', 'europepmc', 'openalex', 'searxng', 'brave'],
    help: 'providers of the web lane, in order of preference',
  },
  arxivUrl: {
    kind: 'text',
    value: 'https://export.arxiv.org',
    help: 'base address of the arXiv API',
  },
  semanticScholarUrl: {
    kind: 'text',
    value: 'https://api.semanticscholar.org',
    help: 'base address of the Semantic Scholar API',
  },
  crossrefUrl: {
    kind: 'text',
    value: 'https://api.crossref.org',
    help: 'base address of the Crossref API',
  },
  europepmcUrl: {
    kind: 'text',
    value: 'https://www.ebi.ac.uk/europepmc/webservices/rest',
    help: 'base address of the Europe PMC API',
  },
  openalexUrl: {
    kind: 'text',
    value: 'https://api.openalex.org',
    help: 'base address of the OpenAlex API',
  },
  searxngUrl: {
    kind: 'text',
    value: '',
    help: 'base address of a SearXNG instance with the JSON format turned on',
  },
  braveUrl: {
    kind: 'text',
    value: 'https://api.search.brave.com',
    help: 'base address of the Brave Search API',
  },
  semanticScholarKey: {
    kind: 'text',
    secret: true,
    value: '',
    help: 'key for Semantic Scholar; with it, sentences come from the body of papers, too',
  },
  openalexKey: {
    kind: 'text',
    secret: true,
    value: '',
    help: 'key for OpenAlex; without it, the daily quota is small',
  },
  braveKey: { kind: 'text', secret: true, value: '', help: 'key for Brave Search' },
  laneResultsMax: limit(10, 'papers', 'papers that a lane is asked for'),
  laneWordsMax: limit(
    16,
    'words',
    'words of a question that are sent to arXiv, Europe PMC, and OpenAlex',
  ),
  laneSentenceCharactersMax: limit(
    1_000,
    'characters',
    'length of a sentence of a lane; a longer one is a table or a list and is not quoted',
  ),
  laneQueryCharactersMax: limit(
    400,
    'characters',
    'length of a question that is sent to the other providers; a longer one is cut at a word boundary',
  ),
  laneTimeoutMs: {
    kind: 'integer',
    value: 5_000,
    unit: 'ms',
    help: 'time limit of a request to a provider, to the end of its response',
  },
  laneWaitMsMax: {
    kind: 'integer',
    formerVariable: 'VERBATIM_LANE_PATIENCE_MS',
    value: 2_000,
    unit: 'ms',
    help: 'how long a search waits for lanes; after the first documents, the other lanes get as much time again',
  },
  laneSlowRequestsMax: limit(
    3,
    'requests',
    'requests in a row that take longer than a search waits; after them, the lane is asked for the cache only',
    'VERBATIM_LANE_SLOW_MAX',
  ),
  laneAnswerMsMin: limit(
    300,
    'ms',
    'time that must be left when a request can be sent; with less, the lane is skipped at once',
  ),
  laneResponseBytesMax: limit(
    1024 * 1024,
    'bytes',
    "size of a provider's response; a longer one is a failure",
  ),
  laneRedirectsMax: limit(3, 'redirects', 'redirects that are followed, to public hosts only'),
  laneXmlDepthMax: limit(32, 'levels', 'depth of elements in an XML response'),
  laneQueueMax: limit(32, 'requests', 'requests in the queue of a provider'),
  arxivGapMs: limit(
    3_000,
    'ms',
    'time from the end of one request to arXiv to the start of the next',
  ),
  semanticScholarGapMs: {
    kind: 'integer',
    value: 1_000,
    unit: 'ms',
    help: 'time from the end of one request to Semantic Scholar to the start of the next',
  },
  webGapMs: limit(
    350,
    'ms',
    'sliding window of the web lane: with a concurrency of n, at most n requests start in n times this; headers of the provider can lengthen it',
  ),
  webConcurrencyMax: limit(
    3,
    'requests',
    'concurrent requests of the web lane; headers of the provider can lower it',
  ),
  arxivRequestsPerDayMax: {
    kind: 'integer',
    value: 10_000,
    unit: 'requests',
    min: 0,
    help: 'requests to arXiv from midnight to midnight UTC; 0: no cap',
  },
  semanticScholarRequestsPerDayMax: {
    kind: 'integer',
    value: 10_000,
    unit: 'requests',
    min: 0,
    help: 'requests to Semantic Scholar from midnight to midnight UTC; 0: no cap',
  },
  webRequestsPerDayMax: {
    kind: 'integer',
    value: 10_000,
    unit: 'requests',
    min: 0,
    help: 'requests to each provider of the web lane from midnight to midnight UTC; 0: no cap',
  },
  laneFailuresMax: limit(
    5,
    'failures',
    'failures of a provider in a row that open its circuit breaker',
  ),
  laneCircuitOpenMs: limit(
    30_000,
    'ms',
    'how long a circuit breaker stays open before it lets one probe through',
    'VERBATIM_LANE_BREAK_MS',
  ),
  laneBackoffMs: limit(
    1_000,
    'ms',
    'backoff after a 429 without Retry-After; it doubles with each in a row',
    'VERBATIM_LANE_PAUSE_MS',
  ),
  laneBackoffMsMax: limit(
    600_000,
    'ms',
    'limit of the doubling; a longer Retry-After counts as an exhausted quota',
    'VERBATIM_LANE_PAUSE_MS_MAX',
  ),
  laneBlockedMs: limit(
    3_600_000,
    'ms',
    'backoff after a refusal, such as a rejected key or a block',
  ),
  laneExhaustedMsMax: limit(86_400_000, 'ms', 'the longest backoff that a provider can ask for'),
  laneCacheAgeMsMax: {
    kind: 'integer',
    value: 86_400_000,
    unit: 'ms',
    help: 'time to live of a cached response',
  },
  laneCacheBytesMax: {
    kind: 'integer',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    help: 'size of the cache of responses; beyond it, the oldest are evicted',
  },
  laneCacheEntriesMax: limit(
    10_000,
    'responses',
    'responses in the cache; beyond it, the oldest are evicted',
  ),
  laneCachePendingMax: limit(
    64,
    'responses',
    'responses that wait for the lock of the database; beyond it, the oldest are dropped',
  ),
  laneCacheRetryMs: limit(
    250,
    'ms',
    'time before responses, backoffs, and counts are written again after another writer held the lock',
  ),
} as const satisfies SettingsPart;
