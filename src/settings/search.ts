/** Settings of a search. */
import { availableParallelism } from 'node:os';
import type { SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const searchSettings = {
  searchThreads: {
    variable: 'VERBATIM_SEARCH_THREADS',
    value: cores,
    help: 'worker threads that embed queries and search (default: the cores)',
  },
  searchBatchMax: {
    variable: 'VERBATIM_SEARCH_BATCH_MAX',
    value: 8,
    help: 'searches that a thread takes at a time, where more wait than there are threads',
  },
  warmUpSearches: {
    variable: 'VERBATIM_WARM_UP_SEARCHES',
    value: 800,
    help: 'searches for titles of the index after the start, while nobody searches; 0: none',
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
    value: 24_000,
    help: 'documents that the dense search looks at, in the cells nearest to the query',
  },
  denseUnprobedMax: {
    variable: 'VERBATIM_DENSE_FURTHER_MAX',
    value: 300,
    help: 'documents outside of those cells, found by words, that are looked at too',
  },
  denseCandidatesMax: {
    variable: 'VERBATIM_DENSE_CANDIDATES_MAX',
    value: 150,
    help: 'documents that the dense search hands on at least',
  },
  candidatesMax: {
    variable: 'VERBATIM_CANDIDATES_MAX',
    value: 64,
    help: 'candidates that are read, scored and ranked',
  },
  exactScanMax: {
    variable: 'VERBATIM_SCANNED_WITHOUT_CELLS_MAX',
    value: 1_000,
    help: 'size of an index, in documents, that is too small for cells and is scanned',
  },
  listBytesCachedMax: {
    variable: 'VERBATIM_CELL_BYTES_CACHED_MAX',
    value: 32 * 1024 * 1024,
    help: 'bytes of cells that each search thread keeps in memory',
  },
  withheldShown: {
    variable: 'VERBATIM_WITHHELD_SHOWN',
    value: 0,
    help: '1: retracted and withdrawn papers are among the results too; 0: they are left out',
  },
} as const satisfies SettingsPart;
