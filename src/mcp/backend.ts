/** What the tools need: somebody who searches, fetches papers, verifies, and knows the usage. */

import type { UsageReport } from '../http/usage-endpoint.ts';
import type { LaneTrace } from '../lanes/lane-trace.ts';
import type { ListWanted, PaperWithLists } from '../search/papers/find-paper.ts';
import type { UnreadLanguage } from '../search/question-language.ts';
import type { Answer, SearchRequest } from '../types.ts';
import type { VerifyRequest, VerifyResult } from '../verify/open-verify.ts';

export interface FoundPapers {
  answer: Answer;
  /** What the lanes did. Absent if they had no part. */
  lanes?: LaneTrace | undefined;
  /** Absent if the model reads the language of the question. */
  unread?: UnreadLanguage | undefined;
}

/** Its methods reject with a `VerbatimError` that the caller of the tool may read. */
export interface Backend {
  /** The version of the program. */
  version: string;
  search(request: SearchRequest): Promise<FoundPapers>;
  /** Looks up a paper by any identifier. Rejects with `not_found`, or with `bad_request` if several have it. */
  fetch(id: string, list?: ListWanted): Promise<PaperWithLists>;
  /** Compares quotes and references with the index. The results are in their order. */
  verify(request: VerifyRequest): Promise<VerifyResult[]>;
  /** Undefined where nothing costs anything. */
  usage: (() => Promise<UsageReport>) | undefined;
}
