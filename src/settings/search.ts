/** Settings of a search. */
import { availableParallelism } from 'node:os';
import type { SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const searchSettings = {
  searchThreads: {
    kind: 'integer',
    variable: 'VERBATIM_SEARCH_THREADS',
    value: cores,
    defaultText: 'number of CPU cores',
    unit: 'threads',
    help: 'worker threads that embed queries and search',
  },
  searchBatchMax: {
    kind: 'integer',
    variable: 'VERBATIM_SEARCH_BATCH_MAX',
    value: 8,
    unit: 'searches',
    help: 'searches in one batch of a thread, when more searches wait than there are threads',
  },
  warmUpSearches: {
    kind: 'integer',
    variable: 'VERBATIM_WARM_UP_SEARCHES',
    value: 800,
    unit: 'searches',
    min: 0,
    help: 'searches for titles of the index after the start, while no customer searches; 0: none',
  },
  queryTermsMax: {
    kind: 'integer',
    variable: 'VERBATIM_QUERY_TERMS_MAX',
    value: 64,
    unit: 'words',
    help: 'words of a query that the full-text search looks up',
  },
  postingsMax: {
    kind: 'integer',
    variable: 'VERBATIM_POSTINGS_MAX',
    value: 6_000,
    unit: 'postings',
    help: 'postings that the full-text search of a query reads',
  },
  denseScannedMax: {
    kind: 'integer',
    variable: 'VERBATIM_DENSE_SCANNED_MAX',
    value: 24_000,
    unit: 'documents',
    help: 'documents that the dense search scans in the inverted lists it probes',
  },
  denseUnprobedMax: {
    kind: 'integer',
    variable: 'VERBATIM_DENSE_UNPROBED_MAX',
    formerVariable: 'VERBATIM_DENSE_FURTHER_MAX',
    value: 300,
    unit: 'documents',
    help: 'documents outside the probed lists, found by words, that the dense search also scores',
  },
  denseCandidatesMax: {
    kind: 'integer',
    variable: 'VERBATIM_DENSE_CANDIDATES_MAX',
    value: 150,
    unit: 'documents',
    help: 'least number of candidates of the dense search',
  },
  candidatesMax: {
    kind: 'integer',
    variable: 'VERBATIM_CANDIDATES_MAX',
    value: 64,
    unit: 'documents',
    help: 'candidates that are read, scored, and ranked',
  },
  exactScanMax: {
    kind: 'integer',
    variable: 'VERBATIM_EXACT_SCAN_MAX',
    formerVariable: 'VERBATIM_SCANNED_WITHOUT_CELLS_MAX',
    value: 1_000,
    unit: 'documents',
    help: 'size up to which an index has no inverted lists and is scanned in full',
  },
  listBytesCachedMax: {
    kind: 'integer',
    variable: 'VERBATIM_LIST_BYTES_CACHED_MAX',
    formerVariable: 'VERBATIM_CELL_BYTES_CACHED_MAX',
    value: 32 * 1024 * 1024,
    unit: 'bytes',
    help: 'inverted lists that each search thread caches',
  },
  filteredPostingsMax: {
    kind: 'integer',
    variable: 'VERBATIM_FILTERED_POSTINGS_MAX',
    value: 60_000,
    unit: 'postings',
    help: 'postings that the full-text search reads with a filter, to find as many that match it',
  },
  filteredDenseScannedMax: {
    kind: 'integer',
    variable: 'VERBATIM_FILTERED_DENSE_SCANNED_MAX',
    value: 96_000,
    unit: 'documents',
    help: 'documents that the dense search scans with a filter, to see as many that match it',
  },
  filteredExactMax: {
    kind: 'integer',
    variable: 'VERBATIM_FILTERED_EXACT_MAX',
    value: 1_000,
    unit: 'documents',
    help: 'number of papers that match a filter up to which their vectors are compared one by one',
  },
  filtersCachedMax: {
    kind: 'integer',
    variable: 'VERBATIM_FILTERS_CACHED_MAX',
    value: 16,
    unit: 'filters',
    help: 'filters whose matching papers each search thread keeps, a byte per paper of the index',
  },
  withheldShown: {
    kind: 'boolean',
    variable: 'VERBATIM_WITHHELD_SHOWN',
    value: false,
    help: 'whether retracted and withdrawn papers are among the results',
  },
} as const satisfies SettingsPart;
