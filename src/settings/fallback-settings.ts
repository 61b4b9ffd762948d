/** Settings of the fallback to lanes, and of learning. */
import { availableParallelism } from 'node:os';
import type { SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const fallbackSettings = {
  laneConfidence: {
    kind: 'share',
    variable: 'VERBATIM_LANE_CONFIDENCE',
    // Calibrated: see src/lanes/README.md.
    value: 0.55,
    help: 'confidence `c` below which the lanes are asked; 0: never, 1: always',
  },
  laneSearchesMax: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_SEARCHES_MAX',
    value: 32,
    unit: 'questions',
    help: 'different questions that wait for lanes concurrently; others are answered from the index alone',
  },
  laneThreads: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_THREADS',
    value: cores,
    defaultText: 'number of CPU cores',
    unit: 'threads',
    help: 'worker threads, of low priority, that score the documents of lanes',
  },
  laneScoringsPerThreadMax: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_SCORINGS_PER_THREAD_MAX',
    value: 8,
    unit: 'questions',
    help: 'questions for each of these threads whose documents are scored or wait for it; others keep their local results',
  },
  laneDocumentsScoredMax: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_DOCUMENTS_SCORED_MAX',
    value: 30,
    unit: 'documents',
    help: 'documents of lanes that are scored for one search',
  },
  laneTextsScoredMax: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_TEXTS_SCORED_MAX',
    value: 240,
    unit: 'texts',
    help: 'titles and sentences of lanes that are embedded for one search',
  },
  laneDocumentsCachedMax: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_DOCUMENTS_CACHED_MAX',
    formerVariable: 'VERBATIM_LANE_DOCUMENTS_REMEMBERED_MAX',
    value: 500,
    unit: 'documents',
    help: 'documents of lanes whose vectors each lane thread caches',
  },
  laneScoringMarginMs: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_SCORING_MARGIN_MS',
    value: 1_500,
    unit: 'ms',
    help: 'part of the time of a search that is reserved for scoring the documents of lanes',
  },
  laneAnswerMarginMs: {
    kind: 'integer',
    variable: 'VERBATIM_LANE_ANSWER_MARGIN_MS',
    value: 250,
    unit: 'ms',
    help: 'how long before its time limit a search with lanes is answered with what it has',
  },
  learn: {
    kind: 'boolean',
    variable: 'VERBATIM_LEARN',
    value: false,
    help: 'whether documents of lanes join the index, if their terms of use allow it',
  },
  learnQueueMax: {
    kind: 'integer',
    variable: 'VERBATIM_LEARN_QUEUE_MAX',
    value: 1_000,
    unit: 'documents',
    help: 'documents that wait to join the index; others are not learned',
  },
  learnBatchMax: {
    kind: 'integer',
    variable: 'VERBATIM_LEARN_BATCH_MAX',
    value: 4,
    unit: 'documents',
    help: 'documents that join the index in one transaction',
  },
  learnLockWaitMs: {
    kind: 'integer',
    variable: 'VERBATIM_LEARN_LOCK_WAIT_MS',
    value: 100,
    unit: 'ms',
    help: 'how long learning waits for the lock of the database before it postpones the batch',
  },
  learnRetryDelayMs: {
    kind: 'integer',
    variable: 'VERBATIM_LEARN_RETRY_DELAY_MS',
    value: 2_000,
    unit: 'ms',
    help: 'how long learning postpones a batch after another process held the lock',
  },
} as const satisfies SettingsPart;
