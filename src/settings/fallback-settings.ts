/** Settings of the fallback to lanes, and of learning. */
import { availableParallelism } from 'node:os';
import { limit, type SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const fallbackSettings = {
  laneConfidence: {
    kind: 'share',
    // Calibrated: see src/lanes/README.md.
    value: 0.55,
    help: 'confidence `c` below which the lanes are asked; 0: never, 1: always',
  },
  laneSearchesMax: limit(
    32,
    'questions',
    'different questions that wait for lanes concurrently; others are answered from the index alone',
  ),
  laneThreads: {
    kind: 'integer',
    value: cores,
    defaultText: 'number of CPU cores',
    unit: 'threads',
    help: 'worker threads, of low priority, that score the documents of lanes',
  },
  laneScoringsPerThreadMax: limit(
    8,
    'questions',
    'questions for each of these threads whose documents are scored or wait for it; others keep their local results',
  ),
  laneDocumentsScoredMax: limit(
    30,
    'documents',
    'documents of lanes that are scored for one search',
  ),
  laneTextsScoredMax: limit(
    240,
    'texts',
    'titles and sentences of lanes that are embedded for one search',
  ),
  laneDocumentsCachedMax: limit(
    500,
    'documents',
    'documents of lanes whose vectors each lane thread caches',
    'VERBATIM_LANE_DOCUMENTS_REMEMBERED_MAX',
  ),
  laneScoringMarginMs: limit(
    1_500,
    'ms',
    'part of the time of a search that is reserved for scoring the documents of lanes',
  ),
  laneAnswerMarginMs: limit(
    250,
    'ms',
    'how long before its time limit a search with lanes is answered with what it has',
  ),
  verifyLookUpCredits: {
    kind: 'integer',
    value: 1,
    min: 0,
    unit: 'credits',
    help: 'price of a reference that `POST /v1/verify` looks up at lanes, beside that of the call; 0: free',
  },
  verifyLookUpsMax: limit(
    20,
    'references',
    'references of a call that are looked up at lanes; others are only compared with the index',
  ),
  verifyLookUpMsMax: limit(
    15_000,
    'ms',
    'how long a call waits until lanes have looked up its references',
  ),
  lookUpsInFlightMax: limit(
    4,
    'references',
    'references of all calls that lanes look up concurrently; customers take turns',
  ),
  lookUpsWaitingMax: limit(
    1_280,
    'references',
    'references that wait to be looked up; beyond it, the response is 503',
  ),
  learn: {
    kind: 'boolean',
    value: false,
    help: 'whether documents of lanes join the index, if their terms of use allow it',
  },
  learnQueueMax: limit(
    1_000,
    'documents',
    'documents that wait to join the index; others are not learned',
  ),
  learnBatchMax: limit(4, 'documents', 'documents that join the index in one transaction'),
  learnLockWaitMs: limit(
    100,
    'ms',
    'how long learning waits for the lock of the database before it postpones the batch',
  ),
  learnRetryDelayMs: limit(
    2_000,
    'ms',
    'how long learning postpones a batch after another process held the lock',
  ),
} as const satisfies SettingsPart;
