/** Settings of the fallback lanes: whom they ask, how often, and how much is kept. */
import type { SettingsPart } from '../../settings/setting.ts';

export const laneSettings = {
  lanes: {
    variable: 'VERBATIM_LANES',
    value: '',
    help: 'lanes that are on: some of arxiv,semantic_scholar,web, or none; empty: all with a contact address, else none',
  },
  laneContact: {
    variable: 'VERBATIM_LANE_CONTACT',
    value: '',
    help: 'e-mail address of whoever runs this server, told to every provider',
  },
  webProvider: {
    variable: 'VERBATIM_WEB_PROVIDER',
    value: 'crossref',
    help: 'whom the web lane asks, of crossref, europepmc, openalex, searxng, brave: several are in order of preference',
  },
  arxivUrl: {
    variable: 'VERBATIM_ARXIV_URL',
    value: 'https://export.arxiv.org',
    help: 'base address of the arXiv API',
  },
  semanticScholarUrl: {
    variable: 'VERBATIM_SEMANTIC_SCHOLAR_URL',
    value: 'https://api.semanticscholar.org',
    help: 'base address of the Semantic Scholar API',
  },
  crossrefUrl: {
    variable: 'VERBATIM_CROSSREF_URL',
    value: 'https://api.crossref.org',
    help: 'base address of the Crossref API',
  },
  europepmcUrl: {
    variable: 'VERBATIM_EUROPEPMC_URL',
    value: 'https://www.ebi.ac.uk/europepmc/webservices/rest',
    help: 'base address of the Europe PMC API',
  },
  openalexUrl: {
    variable: 'VERBATIM_OPENALEX_URL',
    value: 'https://api.openalex.org',
    help: 'base address of the OpenAlex API',
  },
  searxngUrl: {
    variable: 'VERBATIM_SEARXNG_URL',
    value: '',
    help: 'base address of a SearXNG instance whose JSON format is switched on',
  },
  braveUrl: {
    variable: 'VERBATIM_BRAVE_URL',
    value: 'https://api.search.brave.com',
    help: 'base address of the Brave Search API',
  },
  semanticScholarKey: {
    variable: 'VERBATIM_SEMANTIC_SCHOLAR_KEY',
    value: '',
    help: 'key for Semantic Scholar; with it, sentences come from the body of papers too',
  },
  openalexKey: {
    variable: 'VERBATIM_OPENALEX_KEY',
    value: '',
    help: 'key for OpenAlex; without it, its daily budget is small',
  },
  braveKey: {
    variable: 'VERBATIM_BRAVE_KEY',
    value: '',
    help: 'key for Brave Search',
  },
  laneResultsMax: {
    variable: 'VERBATIM_LANE_RESULTS_MAX',
    value: 10,
    help: 'papers that a lane is asked for',
  },
  laneWordsMax: {
    variable: 'VERBATIM_LANE_WORDS_MAX',
    value: 16,
    help: 'words of a question that arXiv, Europe PMC and OpenAlex are asked for',
  },
  laneSentenceCharactersMax: {
    variable: 'VERBATIM_LANE_SENTENCE_CHARACTERS_MAX',
    value: 1_000,
    help: 'length of a sentence of a lane; a longer one, a table or a list, is not quoted',
  },
  laneQueryCharactersMax: {
    variable: 'VERBATIM_LANE_QUERY_CHARACTERS_MAX',
    value: 400,
    help: 'length of a question as the other providers are asked it; the rest is cut off at a word',
  },
  laneTimeoutMs: {
    variable: 'VERBATIM_LANE_TIMEOUT_MS',
    value: 5_000,
    help: 'wait for a provider, from the request to the end of its answer',
  },
  laneWaitMsMax: {
    variable: 'VERBATIM_LANE_PATIENCE_MS',
    value: 2_000,
    help: 'how long a search waits for lanes at most; once one has answered, the others have as long again',
  },
  laneSlowRequestsMax: {
    variable: 'VERBATIM_LANE_SLOW_MAX',
    value: 3,
    help: 'requests in a row that take longer than that, after which a lane is asked and not waited for',
  },
  laneAnswerMsMin: {
    variable: 'VERBATIM_LANE_ANSWER_MS_MIN',
    value: 300,
    help: 'time that must be left when the turn of a lane comes; with less it is skipped at once',
  },
  laneResponseBytesMax: {
    variable: 'VERBATIM_LANE_RESPONSE_BYTES_MAX',
    value: 1024 * 1024,
    help: "size of a provider's answer; a longer one is a failure",
  },
  laneRedirectsMax: {
    variable: 'VERBATIM_LANE_REDIRECTS_MAX',
    value: 3,
    help: 'redirects that are followed, to public hosts only',
  },
  laneXmlDepthMax: {
    variable: 'VERBATIM_LANE_XML_DEPTH_MAX',
    value: 32,
    help: 'depth of elements in an XML answer',
  },
  laneQueueMax: {
    variable: 'VERBATIM_LANE_QUEUE_MAX',
    value: 32,
    help: 'requests that wait for their turn at a provider',
  },
  arxivGapMs: {
    variable: 'VERBATIM_ARXIV_GAP_MS',
    value: 3_000,
    help: 'pause from the end of one request to arXiv to the start of the next',
  },
  semanticScholarGapMs: {
    variable: 'VERBATIM_SEMANTIC_SCHOLAR_GAP_MS',
    value: 1_000,
    help: 'pause from the end of one request to Semantic Scholar to the start of the next',
  },
  webGapMs: {
    variable: 'VERBATIM_WEB_GAP_MS',
    value: 350,
    help: "time that each request of the web lane takes up: so many as may run at a time may start at once, but no more in as many times this; the provider's headers may lengthen it",
  },
  webConcurrencyMax: {
    variable: 'VERBATIM_WEB_CONCURRENCY_MAX',
    value: 3,
    help: "requests of the web lane at a time; the provider's headers may lower it",
  },
  arxivRequestsPerDayMax: {
    variable: 'VERBATIM_ARXIV_REQUESTS_PER_DAY_MAX',
    value: 10_000,
    help: 'requests to arXiv from midnight to midnight, UTC; 0: no cap',
  },
  semanticScholarRequestsPerDayMax: {
    variable: 'VERBATIM_SEMANTIC_SCHOLAR_REQUESTS_PER_DAY_MAX',
    value: 10_000,
    help: 'requests to Semantic Scholar from midnight to midnight, UTC; 0: no cap',
  },
  webRequestsPerDayMax: {
    variable: 'VERBATIM_WEB_REQUESTS_PER_DAY_MAX',
    value: 10_000,
    help: 'requests to each provider of the web lane from midnight to midnight, UTC; 0: no cap',
  },
  laneFailuresMax: {
    variable: 'VERBATIM_LANE_FAILURES_MAX',
    value: 5,
    help: 'failures of a provider in a row, after which it is left alone for a while',
  },
  laneCircuitOpenMs: {
    variable: 'VERBATIM_LANE_BREAK_MS',
    value: 30_000,
    help: 'how long it is left alone before one request tries it again',
  },
  laneBackoffMs: {
    variable: 'VERBATIM_LANE_PAUSE_MS',
    value: 1_000,
    help: 'pause after "too many requests" that names no time; doubled with each in a row',
  },
  laneBackoffMsMax: {
    variable: 'VERBATIM_LANE_PAUSE_MS_MAX',
    value: 600_000,
    help: 'the most that doubling makes of it; a longer one that a provider names counts as exhausted',
  },
  laneBlockedMs: {
    variable: 'VERBATIM_LANE_BLOCKED_MS',
    value: 3_600_000,
    help: 'pause after a refusal that time does not heal: a rejected key, a block',
  },
  laneExhaustedMsMax: {
    variable: 'VERBATIM_LANE_EXHAUSTED_MS_MAX',
    value: 86_400_000,
    help: 'the longest pause that a provider can ask for',
  },
  laneCacheAgeMsMax: {
    variable: 'VERBATIM_LANE_CACHE_AGE_MS_MAX',
    value: 86_400_000,
    help: "how long a provider's answer to a question is used again",
  },
  laneCacheBytesMax: {
    variable: 'VERBATIM_LANE_CACHE_BYTES_MAX',
    value: 64 * 1024 * 1024,
    help: 'bytes of answers that are kept; beyond it the oldest go',
  },
  laneCacheEntriesMax: {
    variable: 'VERBATIM_LANE_CACHE_ENTRIES_MAX',
    value: 10_000,
    help: 'answers that are kept; beyond it the oldest go',
  },
  laneCachePendingMax: {
    variable: 'VERBATIM_LANE_CACHE_PENDING_MAX',
    value: 64,
    help: 'answers that wait for the database to be free; beyond it the oldest are dropped',
  },
  laneCacheRetryMs: {
    variable: 'VERBATIM_LANE_CACHE_RETRY_MS',
    value: 250,
    help: 'pause before answers, pauses and counts are written again, where another writer held the lock',
  },
} as const satisfies SettingsPart;
