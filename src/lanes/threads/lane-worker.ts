/**
 * The handler of a lane thread: scores the documents of lanes, and learns them. Both embed a few
 * hundred texts for a question, a hundred times as much as a search does. They run on threads of low
 * priority, so local searches never wait for them.
 *
 * A customer waits for a scoring, so it uses the encoder of queries. What is learned stays in the
 * index, so it gets vectors like all others there.
 */
import { constants, setPriority } from 'node:os';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import { unitsByText } from '../../ingest/prepare.ts';
import { isOfOtherModel } from '../../search/followed-model.ts';
import { type OpenSearch, type OpenSearchOptions, openSearch } from '../../search/open-search.ts';
import type { SearchOutcome } from '../../search/search.ts';
import type { Answer } from '../../types.ts';
import { reportFromThread } from '../../workers/report-from-thread.ts';
import type { LaneDocument } from '../lane/lane.ts';
import { createLearn, type LearnCounts, type LearnLimits } from '../learning/learn.ts';
import { createEmbedDocuments, type EmbedDocuments } from '../scoring/embed-documents.ts';
import type { EmbeddingTask, ScoringTask, TextVectors } from '../scoring/scoring-task.ts';
import { type SelectionLimits, selectDocuments } from '../scoring/select-documents.ts';

/** As long as no question lasts: until then, vectors of the model of before may come from other threads. */
const OTHER_MODEL_MS = 120_000;

export interface LaneScoringLimits extends SelectionLimits {
  laneTextsScoredMax: number;
  laneDocumentsCachedMax: number;
}

export interface LaneWorkerOptions extends OpenSearchOptions {
  /** The database that learned documents join. */
  learnInto: OpenOptions;
  scoring: LaneScoringLimits;
  learning: LearnLimits;
}

export type LaneTask =
  | ({ kind: 'score' } & ScoringTask)
  | ({ kind: 'embed' } & PartTask)
  | { kind: 'learn'; documents: readonly LaneDocument[] };

/** Embeds one of several parts of the documents of a search. */
export interface PartTask extends EmbeddingTask {
  known: TextVectors;
  parts: number;
}

/** The answer of a scoring, undefined if it was too late; the vectors of an embedding. */
export type LaneResult = Answer | LearnCounts | TextVectors | undefined;

export async function createLaneHandler(
  options: LaneWorkerOptions,
): Promise<(task: LaneTask) => Promise<LaneResult>> {
  // Linux has a priority for each thread. Elsewhere, this would slow down all searches.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  let handler = await openHandler(options);
  let knownFrom = 0;
  return async (task) => {
    await handler.refresh();
    try {
      await handler.assertModel();
    } catch (error) {
      if (!isOfOtherModel(error)) throw error;
      // The index was moved to another model.
      const before = handler;
      handler = await openHandler(options);
      knownFrom = performance.now() + OTHER_MODEL_MS;
      await before.close();
    }
    // Other threads may have embedded its parts with the model of before.
    const isStale = 'known' in task && performance.now() < knownFrom;
    return handler.handle(isStale ? { ...task, known: new Map() } : task);
  };
}

/** What an open index and its model can do. */
async function openHandler(options: LaneWorkerOptions) {
  const opened = await openSearch(options, reportFromThread);
  const embedDocuments = createEmbed(opened, options.scoring);
  const score = createScore(opened, embedDocuments, options.scoring);
  const embedPart = createEmbedPart(embedDocuments, options.scoring);
  const learn = createLearn({
    embedDocuments: createEmbedToKeep(opened, embedDocuments, options.scoring),
    store: options.learnInto,
    model: opened.model,
    limits: options.learning,
  });
  return {
    refresh: opened.source.refresh,
    assertModel: () => opened.source.view(async () => {}),
    close: opened.close,
    async handle(task: LaneTask): Promise<LaneResult> {
      if (task.kind === 'learn') return learn(task.documents);
      if (task.kind === 'embed') return embedPart(task);
      const outcome = await score(task);
      return outcome?.answer;
    },
  };
}

/** Scores documents on this thread, for a command that has the index open. */
export function createScoring(
  opened: OpenSearch,
  limits: LaneScoringLimits,
): (task: ScoringTask) => Promise<SearchOutcome | undefined> {
  return createScore(opened, createEmbed(opened, limits), limits);
}

function createEmbed(opened: OpenSearch, limits: LaneScoringLimits): EmbedDocuments {
  return createEmbedDocuments((texts) => opened.embedder.embedDocuments(texts), {
    cachedMax: limits.laneDocumentsCachedMax,
  });
}

/** Uses `embedDocuments`, with its cache, if the model has a single encoder. */
function createEmbedToKeep(
  { embedder, documentEmbedder }: OpenSearch,
  embedDocuments: EmbedDocuments,
  { laneDocumentsCachedMax: cachedMax }: LaneScoringLimits,
): EmbedDocuments {
  let embedToKeep: EmbedDocuments | undefined;
  return async (documents, options) => {
    if (embedToKeep === undefined) {
      const own = await documentEmbedder();
      const embed = (texts: readonly string[]) => own.embedDocuments(texts);
      embedToKeep = own === embedder ? embedDocuments : createEmbedDocuments(embed, { cachedMax });
    }
    return embedToKeep(documents, options);
  };
}

function createScore(
  opened: OpenSearch,
  embedDocuments: EmbedDocuments,
  limits: LaneScoringLimits,
): (task: ScoringTask) => Promise<SearchOutcome | undefined> {
  return async ({ request, documents, until, known }) => {
    const selected = selectDocuments(documents, limits);
    const textsMax = limits.laneTextsScoredMax;
    const found = await embedDocuments(selected, { textsMax, until, known });
    return found.length === 0 ? undefined : opened.search(request, found);
  };
}

/** Embeds this part's share of what the scoring needs. */
function createEmbedPart(
  embedDocuments: EmbedDocuments,
  limits: LaneScoringLimits,
): (task: PartTask) => Promise<TextVectors> {
  return async ({ documents, until, known, parts }) => {
    const laneDocumentsScoredMax = Math.ceil(limits.laneDocumentsScoredMax / parts);
    const selected = selectDocuments(documents, { ...limits, laneDocumentsScoredMax });
    const textsMax = Math.ceil(limits.laneTextsScoredMax / parts);
    const embedded = await embedDocuments(selected, { textsMax, until, known });
    return new Map(embedded.flatMap((document) => [...unitsByText(document)]));
  };
}
