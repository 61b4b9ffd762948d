/** What the methods of the client return, besides the answer of a search. */
import type { Answer, Identifiers, Notice, PaperType } from '../types.ts';

export interface BatchAnswer {
  n: number;
  /** What the batch cost. */
  credits: number;
  /** In the order of the questions. */
  outcomes: Outcome[];
}

/** What became of a question of a batch: `'answer' in outcome` tells which of the two it is. */
export type Outcome = AnsweredQuestion | FailedQuestion;

export interface AnsweredQuestion {
  status: number;
  /** The id to name when you ask for a refund. */
  request_id: string;
  answer: Answer;
  index_version: string;
  /** As in `X-Rerank`. */
  rerank?: string;
  /** As in `X-Question-Language`. */
  question_language?: string;
  /** What the lanes did. Absent if none was asked. */
  lanes?: string;
}

export interface FailedQuestion {
  status: number;
  request_id: string;
  /** As in the table of errors. */
  code: string;
  error: string;
  /** Seconds to wait before the question is asked again. */
  retry_after?: number;
}

export interface Verified {
  kind: 'quote' | 'reference';
  verdict: string;
  /** The assessment of a reference, with `include`. */
  assessment?: 'likely_real' | 'likely_fabricated' | 'cannot_tell';
  d?: string;
  t?: string;
  [field: string]: unknown;
}

export interface Paper {
  asked: string;
  d: string;
  t: string;
  y: number;
  authors: string[];
  venue: string;
  ab: string;
  identifiers: Identifiers;
  citation: string;
  url?: string;
  notices?: Notice[];
  type?: PaperType;
  open_access?: boolean;
  open_access_url?: string;
  citation_count?: number;
  retraction?: Notice;
  references?: CitationList;
  cited_by?: CitationList;
}

/** Works that a paper cites, or papers that cite it. */
export interface CitationList {
  count: number;
  indexed: number;
  /** Absent if there are several papers. */
  papers?: CitedPaper[];
  /** Absent after the last page. */
  cursor?: string;
}

/** A paper of the index; a work that it does not have, by its id; or a printed reference. */
export interface CitedPaper {
  d?: string;
  t?: string;
  y?: number;
  a?: string[];
  retraction?: Notice;
  text?: string;
  /** With which verification finds the paper of a printed reference. */
  verdict?: string;
}

export interface Papers {
  n: number;
  papers: Paper[];
  unknown: string[];
}

export interface Usage {
  period: string;
  requests: number;
  credits: number;
  balance: number;
}

export interface ChangedPaper {
  d: string;
  kind: 'added' | 'changed' | 'withdrawn';
  reason?: 'retracted' | 'withdrawn' | 'removed';
  at: string;
  t?: string;
  y?: number;
}

export interface Changes {
  changes: ChangedPaper[];
  cursor: string;
  more: boolean;
}
