/** Settings of a search. */
import { availableParallelism } from 'node:os';
import { limit, type SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const searchSettings = {
  searchThreads: {
    kind: 'integer',
    value: cores,
    defaultText: 'number of CPU cores',
    unit: 'threads',
    help: 'worker threads that embed queries and search',
  },
  searchBatchMax: limit(
    8,
    'searches',
    'searches in one batch of a thread, when more searches wait than there are threads',
  ),
  warmUpSearches: {
    kind: 'integer',
    value: 800,
    unit: 'searches',
    min: 0,
    help: 'searches for titles of the index after the start, while no customer searches; 0: none',
  },
  indexComplete: {
    kind: 'text',
    value: '',
    help: 'what the index has completely, with semicolons between sets: `*` for all papers, `arxiv:*` for those with an identifier of the scheme, or a venue, each with its first and last year if need be, as in `arxiv:* 1991-2024; NeurIPS 1987-2023`. What is not found in a set counts as fabricated, so name a venue only if real papers that are wrongly cited as of it are in the index, too; empty: nothing',
  },
  reranker: {
    kind: 'path',
    value: '',
    help: 'folder of a reranker as model hubs lay it out: a cross-encoder with one score; empty: none',
  },
  rerank: {
    kind: 'choice',
    value: 'always',
    choices: ['always', 'on_request'],
    help: 'which searches the reranker orders: all that do not refuse it, or those that ask for it',
  },
  rerankMs: {
    kind: 'integer',
    value: 300,
    unit: 'ms',
    help: 'how long the reranker may take in a search; after it the order stays as it was',
  },
  queryTermsMax: limit(64, 'words', 'words of a query that the full-text search looks up'),
  postingsMax: limit(6_000, 'postings', 'postings that the full-text search of a query reads'),
  denseScannedMax: limit(
    24_000,
    'documents',
    'documents that the dense search scans in the inverted lists it probes; beyond 160,000 documents it grows with the size of the index to the power of 0.4',
  ),
  denseUnprobedMax: limit(
    300,
    'documents',
    'documents outside the probed lists, found by words, that the dense search also scores',
    'VERBATIM_DENSE_FURTHER_MAX',
  ),
  denseCandidatesMax: limit(150, 'documents', 'least number of candidates of the dense search'),
  candidatesMax: limit(64, 'documents', 'candidates that are read, scored, and ranked'),
  centroidsComparedMax: limit(
    4_096,
    'centroids',
    'centroids of inverted lists that the dense search compares with a query; in an index with more, whole groups of them, the nearest first, until there are so many',
  ),
  exactScanMax: limit(
    1_000,
    'documents',
    'size up to which an index has no inverted lists and is scanned in full',
    'VERBATIM_SCANNED_WITHOUT_COMPARISONS_MAX',
  ),
  listBytesCachedMax: {
    kind: 'integer',
    formerVariable: 'VERBATIM_CELL_BYTES_CACHED_MAX',
    value: 256 * 1024 * 1024,
    unit: 'bytes',
    help: 'inverted lists that each search thread caches',
  },
  filteredPostingsMax: limit(
    60_000,
    'postings',
    'postings that the full-text search reads with a filter, to find as many that match it',
  ),
  filteredDenseScannedMax: limit(
    96_000,
    'documents',
    'documents that the dense search scans with a filter, to see as many that match it; it grows in the same way',
  ),
  filteredExactMax: limit(
    1_000,
    'documents',
    'number of papers that match a filter up to which their vectors are compared one by one',
  ),
  filtersCachedMax: limit(
    16,
    'filters',
    'filters whose matching papers each search thread keeps, a byte per paper of the index',
  ),
  withheldShown: {
    kind: 'boolean',
    value: false,
    help: 'whether retracted and withdrawn papers are among the results',
  },
} as const satisfies SettingsPart;
