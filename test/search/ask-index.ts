/** Asks one question of an index in memory and of documents from lanes, with a toy embedder. */

import type { KeptRecord } from '../../src/identity/kept-record.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import type { LaneDocument } from '../../src/lanes/lane/lane.ts';
import { selectDocuments } from '../../src/lanes/scoring/select-documents.ts';
import type { ExternalDocument } from '../../src/search/external-documents.ts';
import { createSearchDeps, retrieve } from '../../src/search/search.ts';
import type { Answer, SearchRequest } from '../../src/types.ts';
import { recordOf } from '../identity/records.ts';
import { memoryIndex, toyIndexed, toyModel, toyVector } from '../index/memory-index.ts';
import { arrive } from '../index/toy-incoming-records.ts';
import { laneDocumentOf } from '../lanes/fake-lanes.ts';
import { sourceOf } from '../support/source-of.ts';

const LIMITS = {
  withheldShown: false,
  queryTermsMax: 8,
  postingsMax: 1000,
  candidatesMax: 125,
  denseUnprobedMax: 10,
  denseCandidatesMax: 100,
  denseScannedMax: 1000,
  filteredDenseScannedMax: 1000,
  filteredExactMax: 1000,
  filteredPostingsMax: 1000,
  filtersCachedMax: 2,
  centroidsComparedMax: 2048,
  hnswSearched: 200,
  exactScanMax: 1000,
  listBytesCachedMax: 1_000_000,
};

export const QUESTION = 'The moon pulls the sea.';

export async function ask(
  local: Partial<KeptRecord>[],
  found: Partial<LaneDocument>[],
  { limit = 50, withAbstract = false, ...options }: Partial<SearchRequest> = {},
): Promise<Answer> {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  for (const fields of local) arrive(writer, recordOf(fields));
  const deps = createSearchDeps(sourceOf(db, LIMITS), toyModel, LIMITS);
  const selected = selectDocuments(found.map(laneDocumentOf), {
    laneDocumentsScoredMax: 100,
    laneSentenceCharactersMax: 1_000,
  }).map((source): ExternalDocument => {
    const { spans, own, units } = toyIndexed(source);
    return { source, spans, own, units };
  });
  const request = { ...options, query: QUESTION, limit, withAbstract };
  const embedding = { vector: toyVector(QUESTION), words: [] };
  return (await retrieve(request, embedding, deps, { external: selected })).answer;
}
