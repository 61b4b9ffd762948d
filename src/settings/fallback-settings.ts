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
    kind: 'limit',
    value: 32,
    unit: 'questions',
    why: 'different questions that wait for lanes concurrently; others are answered from the index alone',
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
    kind: 'limit',
    value: 8,
    unit: 'questions',
    why: 'questions for each of these threads whose documents are scored or wait for it; others keep their local results',
  },
  laneDocumentsScoredMax: {
    kind: 'limit',
    value: 30,
    unit: 'documents',
    why: 'documents of lanes that are scored for one search',
  },
  laneTextsScoredMax: {
    kind: 'limit',
    value: 240,
    unit: 'texts',
    why: 'titles and sentences of lanes that are embedded for one search',
  },
  laneDocumentsCachedMax: {
    kind: 'limit',
    formerVariable: 'VERBATIM_LANE_DOCUMENTS_REMEMBERED_MAX',
    value: 500,
    unit: 'documents',
    why: 'documents of lanes whose vectors each lane thread caches',
  },
  laneScoringMarginMs: {
    kind: 'limit',
    value: 1_500,
    unit: 'ms',
    why: 'part of the time of a search that is reserved for scoring the documents of lanes',
  },
  laneAnswerMarginMs: {
    kind: 'limit',
    value: 250,
    unit: 'ms',
    why: 'how long before its time limit a search with lanes is answered with what it has',
  },
  learn: {
    kind: 'boolean',
    variable: 'VERBATIM_LEARN',
    value: false,
    help: 'whether documents of lanes join the index, if their terms of use allow it',
  },
  learnQueueMax: {
    kind: 'limit',
    value: 1_000,
    unit: 'documents',
    why: 'documents that wait to join the index; others are not learned',
  },
  learnBatchMax: {
    kind: 'limit',
    value: 4,
    unit: 'documents',
    why: 'documents that join the index in one transaction',
  },
  learnLockWaitMs: {
    kind: 'limit',
    value: 100,
    unit: 'ms',
    why: 'how long learning waits for the lock of the database before it postpones the batch',
  },
  learnRetryDelayMs: {
    kind: 'limit',
    value: 2_000,
    unit: 'ms',
    why: 'how long learning postpones a batch after another process held the lock',
  },
} as const satisfies SettingsPart;
