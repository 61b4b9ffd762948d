/** Runs the searches of a batch, a few at a time. Each has a hold and an outcome of its own. */
import { partId } from '../accounts/sql/request-parts.ts';
import { VerbatimError } from '../errors.ts';
import { wantsRerank } from '../search/rerank.ts';
import { capacityError, morePermit, type Permit } from './admission.ts';
import { newCallRecord } from './call-record.ts';
import { customerError, errorResponse, type TextResponse } from './responses.ts';
import { runSearch, type SearchCall } from './run-search.ts';
import type { ServiceDeps } from './service-deps.ts';
import type { BatchQuestion } from './validate-batch.ts';

/** What became of a question. A response with the status 200 still has its hold. */
export interface BatchOutcome {
  /** Names the question in the ledger. */
  requestId: string;
  response: TextResponse;
}

const TIMEOUT_STATUS = new VerbatimError('search_timeout').status;

/** A batch that has a permit. */
interface AdmittedBatch {
  call: SearchCall;
  questions: readonly BatchQuestion[];
  permit: Permit;
}

/**
 * Searches with the permit of the batch and with as many more as the settings allow and are free
 * now, so that a batch never waits for a permit and never exceeds the limits of its key. Questions
 * begin in their order, so the first are paid first. Returns the outcomes in their order. Never
 * rejects for an expected error.
 */
export async function runBatch(deps: ServiceDeps, batch: AdmittedBatch): Promise<BatchOutcome[]> {
  const { call, questions, permit } = batch;
  const deadline = performance.now() + deps.settings.batchTimeoutMs;
  const requestIds = questions.map((_, index) => partId(call.requestId, index + 1));
  const responses = new Map<string, TextResponse>();
  let next = 0;
  const searchInTurn = async (own: Permit): Promise<void> => {
    const hasTime = (): boolean => next === 0 || performance.now() < deadline;
    while (next < questions.length && hasTime()) {
      const question = questions[next] as BatchQuestion;
      const requestId = requestIds[next] as string;
      next++;
      const response = await answerQuestion(
        deps,
        { ...call, requestId, logged: {}, record: newCallRecord() },
        question,
        own,
      );
      responses.set(requestId, response);
      // Its thread is still busy, and another search with this permit could wait as long.
      if (response.status === TIMEOUT_STATUS) return;
    }
  };
  const beside = Math.min(searchesInFlightMax(deps, questions), questions.length) - 1;
  await Promise.all([
    searchInTurn(permit),
    ...Array.from({ length: beside }, async () => {
      const own = morePermit(deps, call.key);
      if (own !== undefined) await searchInTurn(own).finally(own.end);
    }),
  ]);
  return requestIds.map((requestId) => ({
    requestId,
    response: responses.get(requestId) ?? errorResponse(new VerbatimError('search_timeout')),
  }));
}

/**
 * A thread that has several searches at once reranks none of them, so those of a batch come one to a
 * thread: an idle server then answers them as it answers single searches.
 */
function searchesInFlightMax(
  { settings }: ServiceDeps,
  questions: readonly BatchQuestion[],
): number {
  const { reranker, searchThreads, batchSearchesInFlightMax } = settings;
  const isReranked = questions.some(
    (one) => !(one instanceof VerbatimError) && wantsRerank(one, settings),
  );
  if (reranker === '' || !isReranked) return batchSearchesInFlightMax;
  return Math.min(batchSearchesInFlightMax, searchThreads);
}

async function answerQuestion(
  deps: ServiceDeps,
  call: SearchCall,
  question: BatchQuestion,
  permit: Permit,
): Promise<TextResponse> {
  const response = await searchOrRespond(deps, call, question, permit);
  const { requestId, key, logged } = call;
  const { status } = response;
  deps.log.info('batch_search', { request_id: requestId, key: key.prefix, status, ...logged });
  return response;
}

async function searchOrRespond(
  deps: ServiceDeps,
  call: SearchCall,
  question: BatchQuestion,
  permit: Permit,
): Promise<TextResponse> {
  try {
    if (question instanceof VerbatimError) return errorResponse(question);
    // A server that stops finishes what it has begun, and begins nothing.
    if (deps.state() !== 'ok') return errorResponse(capacityError(deps));
    return await runSearch(deps, call, question, permit);
  } catch (error) {
    const publicError = customerError(error, (reason) => {
      deps.log.error('search_failed', { request_id: call.requestId, reason });
    });
    return errorResponse(publicError);
  }
}
