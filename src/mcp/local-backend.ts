/** The backend of `verbatim mcp`: the local index, free of charge. */
import { VerbatimError } from '../errors.ts';
import type { LaneTrace } from '../fallback/lane-trace.ts';
import type { Answer, SearchRequest } from '../types.ts';
import type { Backend } from './backend.ts';
import type { FindPaper } from './find-paper.ts';

export interface LocalDeps {
  search(request: SearchRequest): Promise<{ answer: Answer; trace: LaneTrace | undefined }>;
  findPaper: FindPaper;
  /** The number of documents in the index. */
  countDocuments: () => number;
}

export function createLocalBackend({ search, findPaper, countDocuments }: LocalDeps): Backend {
  return {
    async search(request) {
      // The lanes would answer, but an index without papers is a mistake that the user must see.
      if (countDocuments() === 0) {
        throw new VerbatimError('no_documents', 'the index is empty: run `verbatim index add`');
      }
      const { answer, trace } = await search(request);
      return { answer, lanes: trace };
    },
    async fetch(id) {
      const paper = findPaper(id);
      if (paper === undefined) throw new VerbatimError('not_found');
      return paper;
    },
    usage: undefined,
  };
}
