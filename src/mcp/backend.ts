/** What the tools need: somebody who searches, fetches papers, verifies, and knows the usage. */

import type { UsageReport } from '../http/usage-endpoint.ts';
import type { Withheld } from '../identity/withheld.ts';
import type { LaneTrace } from '../lanes/lane-trace.ts';
import type { CitationListName, CitationLists } from '../search/papers/citation-lists.ts';
import type { UnreadLanguage } from '../search/question-language.ts';
import type { Answer, Identifiers, SearchRequest, SourceDocument } from '../types.ts';
import type { VerifyRequest, VerifyResult } from '../verify/open-verify.ts';

/** A paper of the index, whatever its records were named. */
export interface Paper extends SourceDocument {
  identifiers: Identifiers;
  /** Why searches leave it out; undefined if they do not. */
  withheld: Withheld | undefined;
  lists: CitationLists;
}

/** The list of citations that is wanted, and where its page begins. */
export interface ListWanted {
  name: CitationListName;
  after?: number | undefined;
}

export interface FoundPapers {
  answer: Answer;
  /** What the lanes did. Absent if they had no part. */
  lanes?: LaneTrace | undefined;
  /** Absent if the model reads the language of the question. */
  unread?: UnreadLanguage | undefined;
}

/** Its methods reject with a `VerbatimError` that the caller of the tool may read. */
export interface Backend {
  search(request: SearchRequest): Promise<FoundPapers>;
  /** Looks up a paper by any identifier. Rejects with `not_found`, or with `bad_request` if several have it. */
  fetch(id: string, list?: ListWanted): Promise<Paper>;
  /** Compares quotes and references with the index. The results are in their order. */
  verify(request: VerifyRequest): Promise<VerifyResult[]>;
  /** Undefined where nothing costs anything. */
  usage: (() => Promise<UsageReport>) | undefined;
}
