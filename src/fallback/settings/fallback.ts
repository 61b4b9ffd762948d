/** Settings of falling back on the lanes where the index has nothing close, and of learning. */
import { availableParallelism } from 'node:os';
import type { SettingsPart } from '../../settings/setting.ts';

const cores = availableParallelism();

export const fallbackSettings = {
  laneConfidence: {
    variable: 'VERBATIM_LANE_CONFIDENCE',
    // Calibrated: see README.
    value: 0.55,
    help: 'confidence c below which the lanes are asked; 0: never, 1: always',
  },
  laneSearchesMax: {
    variable: 'VERBATIM_LANE_SEARCHES_MAX',
    value: 32,
    help: 'different questions that wait for lanes at a time; further ones are answered from the index alone',
  },
  laneThreads: {
    variable: 'VERBATIM_LANE_THREADS',
    value: cores,
    help: 'worker threads, of low priority, that score what lanes return (default: the cores)',
  },
  laneScoringsPerThreadMax: {
    variable: 'VERBATIM_LANE_SCORINGS_PER_THREAD_MAX',
    value: 8,
    help: 'questions for each of these threads whose lane documents are scored or wait for it at a time; further ones keep local results',
  },
  laneDocumentsScoredMax: {
    variable: 'VERBATIM_LANE_DOCUMENTS_SCORED_MAX',
    value: 30,
    help: 'documents of lanes that are scored for one search',
  },
  laneTextsScoredMax: {
    variable: 'VERBATIM_LANE_TEXTS_SCORED_MAX',
    value: 240,
    help: 'titles and sentences of lanes that are embedded for one search',
  },
  laneDocumentsRememberedMax: {
    variable: 'VERBATIM_LANE_DOCUMENTS_REMEMBERED_MAX',
    value: 500,
    help: 'documents of lanes whose vectors each lane thread keeps in memory',
  },
  laneScoringMarginMs: {
    variable: 'VERBATIM_LANE_SCORING_MARGIN_MS',
    value: 1_500,
    help: "what is kept of a search's time, when lanes are asked, to score what they return",
  },
  laneAnswerMarginMs: {
    variable: 'VERBATIM_LANE_ANSWER_MARGIN_MS',
    value: 250,
    help: 'how long before its time is over a search with lanes is answered with what there is',
  },
  learn: {
    variable: 'VERBATIM_LEARN',
    value: 0,
    help: '1: documents that lanes return join the index, where their terms allow it',
  },
  learnQueueMax: {
    variable: 'VERBATIM_LEARN_QUEUE_MAX',
    value: 1_000,
    help: 'documents that wait to join the index; further ones are not learned',
  },
  learnBatchMax: {
    variable: 'VERBATIM_LEARN_BATCH_MAX',
    value: 4,
    help: 'documents that join the index in one transaction',
  },
  learnLockWaitMs: {
    variable: 'VERBATIM_LEARN_LOCK_WAIT_MS',
    value: 100,
    help: 'wait of learning for whoever is writing the database, before it tries again later',
  },
  learnRetryDelayMs: {
    variable: 'VERBATIM_LEARN_RETRY_DELAY_MS',
    value: 2_000,
    help: 'pause of learning after another process held the lock',
  },
} as const satisfies SettingsPart;
