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
    kind: 'limit',
    value: 8,
    unit: 'searches',
    why: 'searches in one batch of a thread, when more searches wait than there are threads',
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
    kind: 'limit',
    value: 64,
    unit: 'words',
    why: 'words of a query that the full-text search looks up',
  },
  postingsMax: {
    kind: 'limit',
    value: 6_000,
    unit: 'postings',
    why: 'postings that the full-text search of a query reads',
  },
  denseScannedMax: {
    kind: 'limit',
    value: 24_000,
    unit: 'documents',
    why: 'documents that the dense search scans in the inverted lists it probes; beyond 160,000 documents it grows with the size of the index to the power of 0.4',
  },
  denseUnprobedMax: {
    kind: 'limit',
    formerVariable: 'VERBATIM_DENSE_FURTHER_MAX',
    value: 300,
    unit: 'documents',
    why: 'documents outside the probed lists, found by words, that the dense search also scores',
  },
  denseCandidatesMax: {
    kind: 'limit',
    value: 150,
    unit: 'documents',
    why: 'least number of candidates of the dense search',
  },
  candidatesMax: {
    kind: 'limit',
    value: 64,
    unit: 'documents',
    why: 'candidates that are read, scored, and ranked',
  },
  centroidsComparedMax: {
    kind: 'limit',
    value: 4_096,
    unit: 'centroids',
    why: 'centroids of inverted lists that the dense search compares with a query; in an index with more, whole groups of them, the nearest first, until there are so many',
  },
  exactScanMax: {
    kind: 'limit',
    formerVariable: 'VERBATIM_SCANNED_WITHOUT_COMPARISONS_MAX',
    value: 1_000,
    unit: 'documents',
    why: 'size up to which an index has no inverted lists and is scanned in full',
  },
  listBytesCachedMax: {
    kind: 'integer',
    variable: 'VERBATIM_LIST_BYTES_CACHED_MAX',
    formerVariable: 'VERBATIM_CELL_BYTES_CACHED_MAX',
    value: 256 * 1024 * 1024,
    unit: 'bytes',
    help: 'inverted lists that each search thread caches',
  },
  filteredPostingsMax: {
    kind: 'limit',
    value: 60_000,
    unit: 'postings',
    why: 'postings that the full-text search reads with a filter, to find as many that match it',
  },
  filteredDenseScannedMax: {
    kind: 'limit',
    value: 96_000,
    unit: 'documents',
    why: 'documents that the dense search scans with a filter, to see as many that match it; it grows in the same way',
  },
  filteredExactMax: {
    kind: 'limit',
    value: 1_000,
    unit: 'documents',
    why: 'number of papers that match a filter up to which their vectors are compared one by one',
  },
  filtersCachedMax: {
    kind: 'limit',
    value: 16,
    unit: 'filters',
    why: 'filters whose matching papers each search thread keeps, a byte per paper of the index',
  },
  withheldShown: {
    kind: 'boolean',
    variable: 'VERBATIM_WITHHELD_SHOWN',
    value: false,
    help: 'whether retracted and withdrawn papers are among the results',
  },
} as const satisfies SettingsPart;
