/**
 * Calibrates the threshold of the lanes. Without questions of customers, the titles of papers ask, each
 * without its own paper: what the index has besides on the subject decides how close it comes.
 */
import { VerbatimError } from '../../errors.ts';
import { type OpenSearch, type OpenSearchOptions, openSearch } from '../open-search.ts';
import { everydayQuestions } from './everyday-questions.ts';
import {
  type DomainSeparation,
  type Interval,
  separateDomains,
  thresholdInterval,
} from './threshold.ts';

/** Titles that ask. With more, the interval hardly narrows: there are 50 questions of everyday life. */
const TITLES_ASKED = 200;
/** Papers with the title of a question. */
const NAMESAKES_MAX = 10;
/** With fewer questions of either kind, chance decides. */
const QUESTIONS_MIN = 20;
/** Below it, confidence hardly tells the two kinds of questions apart. */
const AREA_MIN = 0.9;

export interface Question {
  query: string;
  /** Ids of papers that are left out. */
  exclude?: string[];
}

export interface Calibration extends DomainSeparation {
  /** Where 95 % of the best thresholds lie if the questions are drawn anew. */
  interval: Interval;
  /** Whether titles of the index asked, for want of questions. */
  isFromTitles: boolean;
  /** Whether there were enough questions, and confidence tells their kinds apart. */
  isReliable: boolean;
}

/** Opens an index and calibrates. Rejects like `openSearch`, and with `no_documents` if it has no titles to ask. */
export async function calibrateIndex(
  options: OpenSearchOptions,
  questions?: CalibrationQuestions,
): Promise<Calibration> {
  const opened = await openSearch(options);
  try {
    return await calibrate(opened, questions);
  } finally {
    await opened.close();
  }
}

async function calibrate(
  opened: OpenSearch,
  { inDomain, outOfDomain = everydayQuestions }: CalibrationQuestions = {},
): Promise<Calibration> {
  const asked = inDomain?.map((query) => ({ query })) ?? (await questionsOfTitles(opened));
  const [near, far] = [
    await confidencesOf(opened, asked),
    await confidencesOf(
      opened,
      outOfDomain.map((query) => ({ query })),
    ),
  ];
  const separation = separateDomains(near, far);
  const isEnough = Math.min(near.length, far.length) >= QUESTIONS_MIN;
  return {
    ...separation,
    interval: thresholdInterval(near, far),
    isFromTitles: inDomain === undefined,
    isReliable: isEnough && separation.areaUnderCurve >= AREA_MIN,
  };
}

export interface CalibrationQuestions {
  inDomain?: readonly string[] | undefined;
  outOfDomain?: readonly string[] | undefined;
}

/** Titles from all over the index, each with the ids of the papers that have it. */
async function questionsOfTitles({ source }: OpenSearch): Promise<Question[]> {
  const titles = new Set<string>();
  for (let at = 0; at < TITLES_ASKED; at++) {
    const title = await source.figures.titleAt((at + 0.5) / TITLES_ASKED);
    if (title !== undefined && title.trim() !== '') titles.add(title);
  }
  if (titles.size === 0) throw new VerbatimError('no_documents', 'the index has no titles to ask');
  return source.view(async (view) => {
    const questions: Question[] = [];
    for (const query of titles) {
      const papers = await view.documents(await view.withTitle(query, NAMESAKES_MAX));
      questions.push({ query, exclude: papers.flatMap((paper) => paper?.id ?? []) });
    }
    return questions;
  });
}

/** The confidence of each question, in order. */
async function confidencesOf(
  opened: Pick<OpenSearch, 'search'>,
  questions: readonly Question[],
): Promise<number[]> {
  const confidences: number[] = [];
  for (const question of questions) {
    const { answer } = await opened.search({ ...question, limit: 1, withAbstract: false });
    confidences.push(answer.c);
  }
  return confidences;
}
