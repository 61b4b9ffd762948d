/** The backend of one request over HTTP: each call costs what the API asks for it. */
import { type ErrorCode, errorTable, VerbatimError } from '../errors.ts';
import { matchPrintedInTurn } from '../http/match-printed.ts';
import { paidLookUp } from '../http/paid-look-up.ts';
import { customerError, type Headers, type TextResponse } from '../http/responses.ts';
import type { SearchFacts } from '../http/run-search.ts';
import { paidSearch } from '../http/search-endpoint.ts';
import type { McpCall, ServiceDeps } from '../http/service-deps.ts';
import { readUsageReport } from '../http/usage-endpoint.ts';
import { paidVerify } from '../http/verify-endpoint.ts';
import type { FindPaper, PaperWithLists } from '../search/papers/find-paper.ts';
import type { Answer } from '../types.ts';
import type { VerifyResult } from '../verify/open-verify.ts';
import type { Backend } from './backend.ts';

export interface PaidBackend extends Backend {
  /**
   * Settles what the call cost if `isPaid`, else releases it, and gives back its permits. Must be
   * called once the response was sent or lost.
   */
  resolve(isPaid: boolean): void;
  /** Headers for the response, such as the balance. */
  headers: Headers;
}

export function createPaidBackend(
  deps: ServiceDeps,
  findPaper: FindPaper,
  call: McpCall,
): PaidBackend {
  const { requestId, key, credit, logged, record } = call;
  const open: TextResponse[] = [];
  const headers: Headers = {};
  const guarded = async <Result>(tool: string, work: () => Promise<Result>): Promise<Result> => {
    logged['tool'] = tool;
    try {
      return await work();
    } catch (error) {
      const publicError = customerError(error, (reason) => {
        deps.log.error('request_failed', { request_id: requestId, reason });
      });
      // The message that tells it has the status 200.
      record.code = publicError.code;
      throw publicError;
    }
  };
  /** Returns the body of a response; rejects with its error. */
  const bodyOf = (response: TextResponse): string => {
    open.push(response);
    const { 'X-Credit-Balance': balance } = response.headers;
    if (balance !== undefined) headers['X-Credit-Balance'] = balance;
    if (response.status === 200) return response.body;
    throw errorOf(response);
  };
  return {
    version: deps.version,
    headers,
    search: (request) =>
      guarded('search', async () => {
        const facts: SearchFacts = {};
        const onFound = (found: SearchFacts): void => {
          Object.assign(facts, found);
        };
        const paid = { requestId, key, credit, logged, record, showsLanes: false, onFound };
        const response = await paidSearch(deps, paid, async () => request);
        return { answer: JSON.parse(bodyOf(response)) as Answer, ...facts };
      }),
    fetch: (id, list) =>
      guarded('fetch', async () => {
        const paid = { requestId, key, credit, logged, record };
        const response = await paidLookUp(deps, paid, async () => {
          const paper = await findPaper(id, list);
          if (paper !== undefined) await matchPrintedInTurn(deps, [paper.lists], key.customerId);
          return paper;
        });
        return JSON.parse(bodyOf(response)) as PaperWithLists;
      }),
    verify: (request) =>
      guarded('verify', async () => {
        const response = await paidVerify(
          deps,
          { requestId, key, credit, logged, record },
          request,
        );
        return (JSON.parse(bodyOf(response)) as { items: VerifyResult[] }).items;
      }),
    usage: () => guarded('usage', () => readUsageReport(deps, key)),
    resolve: (isPaid) => {
      for (const response of open.splice(0)) response.onSent?.(isPaid && response.status === 200);
    },
  };
}

/** Returns the error that a response reports. */
function errorOf({ headers, body }: TextResponse): VerbatimError {
  const { 'X-Error-Code': code = 'internal', 'Retry-After': after } = headers;
  const known = (code in errorTable ? code : 'internal') as ErrorCode;
  return new VerbatimError(
    known,
    body,
    after === undefined ? {} : { retryAfterSeconds: Number(after) },
  );
}
