/**
 * What the front page says about the index: figures and an example. Search threads compute them. They
 * are kept until the index changes, so visitors cost nothing but a look at its version.
 */

import { withTimeout } from '../../http/paid-call.ts';
import type { ServiceDeps } from '../../http/service-deps.ts';
import type { IndexSummary } from '../../index/facets/index-summary.ts';
import { exampleQuestion, samplePaper } from '../../settings/example.ts';
import type { Answer, Citation } from '../../types.ts';

/** A question with the sentence that answers it. */
export interface Example {
  question: string;
  citation: Pick<Citation, 'd' | 't' | 'y' | 'a' | 'q'>;
  /** Whether the index answers it. Otherwise, the sentence is from the sample. */
  isFromIndex: boolean;
}

export interface IndexFigures {
  summary: IndexSummary;
  example: Example;
}

export interface IndexFiguresReader {
  /**
   * Returns the latest figures, which may be of the index before its last change. Undefined if the
   * first ones could not be computed in time.
   */
  read(): Promise<IndexFigures | undefined>;
}

export interface IndexFiguresOptions
  extends Pick<ServiceDeps, 'summarizeIndex' | 'search' | 'indexVersion' | 'now'> {
  /** The question of the example. */
  question: string;
  isClose: (c: number) => boolean;
  /** The shortest time between two attempts. */
  everyMs: number;
  /** How long a visitor waits for the first figures. */
  waitMs: number;
  onFailure: (error: unknown) => void;
}

export const sampleExample: Example = {
  question: exampleQuestion,
  citation: {
    d: samplePaper.id,
    t: samplePaper.title,
    y: samplePaper.year,
    a: [...samplePaper.authors],
    q: samplePaper.quote,
  },
  isFromIndex: false,
};

export function createIndexFigures(options: IndexFiguresOptions): IndexFiguresReader {
  const { summarizeIndex, indexVersion, now, everyMs, waitMs, onFailure } = options;
  let latest: IndexFigures | undefined;
  let latestVersion: string | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let attempt: Promise<void> | undefined;

  const computeIfChanged = async (): Promise<void> => {
    const version = await indexVersion();
    if (latest !== undefined && latestVersion === version) return;
    attemptedAt = now();
    const summary = await summarizeIndex();
    const example = summary.documents === 0 ? sampleExample : await findExample(options);
    latest = { summary, example };
    latestVersion = version;
  };
  const attemptIfDue = (): void => {
    if (attempt !== undefined || now() - attemptedAt < everyMs) return;
    attempt = computeIfChanged()
      .catch((error: unknown) => {
        attemptedAt = now();
        onFailure(error);
      })
      .finally(() => {
        attempt = undefined;
      });
  };
  return {
    async read() {
      attemptIfDue();
      if (latest === undefined && attempt !== undefined) {
        await withTimeout(attempt, waitMs).catch(() => {});
      }
      return latest;
    },
  };
}

async function findExample({ search, question, isClose }: IndexFiguresOptions): Promise<Example> {
  const { json, c } = await search({ query: question, limit: 1, withAbstract: false });
  const [citation] = (JSON.parse(json) as Answer).results;
  if (citation === undefined || !isClose(c)) return sampleExample;
  return { question, citation, isFromIndex: true };
}
