/** The backend of `verbatim mcp`: the local index, free of charge. */
import { VerbatimError } from '../errors.ts';
import type { LaneTrace } from '../lanes/lane-trace.ts';
import type { FindPaper } from '../search/papers/find-paper.ts';
import type { SearchOutcome } from '../search/search.ts';
import type { SearchRequest } from '../types.ts';
import { matchPrinted } from '../verify/match-printed.ts';
import type { VerifyRequest, VerifyResult } from '../verify/open-verify.ts';
import type { Backend } from './backend.ts';

export interface LocalDeps {
  /** As in `Backend`. */
  version: string;
  search(
    request: SearchRequest,
  ): Promise<Pick<SearchOutcome, 'answer' | 'unread'> & { trace: LaneTrace | undefined }>;
  findPaper: FindPaper;
  verify(request: VerifyRequest): Promise<VerifyResult[]>;
  /** The number of documents in the index. */
  countDocuments: () => Promise<number>;
}

export function createLocalBackend(deps: LocalDeps): Backend {
  const { version, search, findPaper, verify, countDocuments } = deps;
  const assertHasDocuments = async (): Promise<void> => {
    if ((await countDocuments()) > 0) return;
    throw new VerbatimError('no_documents', 'the index is empty: run `verbatim index add`');
  };
  return {
    version,
    async search(request) {
      // The lanes would answer, but an index without papers is a mistake that the user must see.
      await assertHasDocuments();
      const { answer, trace, unread } = await search(request);
      return { answer, lanes: trace, unread };
    },
    async fetch(id, list) {
      const paper = await findPaper(id, list);
      if (paper === undefined) throw new VerbatimError('not_found');
      await matchPrinted([paper.lists], (items) => verify({ items: [...items] }));
      return paper;
    },
    async verify(request) {
      await assertHasDocuments();
      return verify(request);
    },
    usage: undefined,
  };
}
