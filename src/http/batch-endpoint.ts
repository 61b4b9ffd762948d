/** POST /v1/search/batch: several searches in one request, each paid for and answered on its own. */
import { estimateTokens } from '../search/token-estimate.ts';
import { admit, withKeyPermit } from './admission.ts';
import { answerOnce } from './answer-once.ts';
import { rateError, rateHeaders } from './authenticate.ts';
import type { HttpRequest } from './messages.ts';
import { BALANCE_HEADER, CALL_CREDITS, chargeAnswer, type PaidCall } from './paid-call.ts';
import { readJsonBody } from './read-json-body.ts';
import {
  creditsLeft,
  type Headers,
  INDEX_VERSION_HEADER,
  jsonTextResponse,
  type TextResponse,
} from './responses.ts';
import { type BatchOutcome, runBatch } from './run-batch.ts';
import { LANES_HEADER, QUESTION_LANGUAGE_HEADER, RERANK_HEADER } from './run-search.ts';
import type { ServiceDeps } from './service-deps.ts';
import { type BatchQuestion, parseBatchBody } from './validate-batch.ts';

interface BatchCall extends PaidCall {
  request: HttpRequest;
  /** Headers for every response to this call. */
  headers: Headers;
}

/** Throws the expected errors of every step before the first hold. */
export function batchEndpoint(deps: ServiceDeps, call: BatchCall): Promise<TextResponse> {
  const { settings } = deps;
  const limits = { ...settings, bodyBytesMax: settings.batchBodyBytesMax };
  const showsLanes = call.request.header(LANES_HEADER.toLowerCase()) === '1';
  return withKeyPermit(deps, call.key, async () => {
    const body = await readJsonBody(call, limits);
    const parsed = parseBatchBody(body);
    return await answerOnce(
      deps,
      call,
      body,
      (repeatable, partial) =>
        admit(deps, call, async (permit) => {
          const before = partial && readBatch(partial);
          const missing = parsed.filter((_, index) => !isAnswered(before?.outcomes[index]));
          const questions = await countQuestions(deps, call, missing);
          const search = { ...call, showsLanes, repeatable };
          const outcomes = await runBatch(deps, { call: search, questions, permit });
          return await respond(deps, search, outcomes, before);
        }),
      { isWhole: (stored) => readBatch(stored).outcomes.every(isAnswered) },
    );
  });
}

/**
 * Counts each question against the key's rate, as if it were a request of its own; the request has
 * counted the first. Those beyond the rate become errors.
 */
async function countQuestions(
  deps: ServiceDeps,
  { key, headers }: BatchCall,
  [first, ...others]: readonly BatchQuestion[],
): Promise<BatchQuestion[]> {
  if (first === undefined) return [];
  const rates = await deps.store.takeRates(key, { count: others.length, now: deps.now() });
  const last = rates.at(-1);
  if (last !== undefined) Object.assign(headers, rateHeaders(last));
  const counted = others.map((question, index) => {
    const rate = rates[index];
    return rate === undefined || rate.allowed ? question : rateError(rate);
  });
  return [first, ...counted];
}

/** What a repeat needs to know of a stored answer. */
interface StoredBatch {
  credits: number;
  outcomes: { status: number }[];
}

function readBatch({ body }: { body: string }): StoredBatch {
  return JSON.parse(body) as StoredBatch;
}

function isAnswered(outcome: { status: number } | undefined): boolean {
  return outcome?.status === 200;
}

/**
 * Builds the response, with the answers of an earlier request in their places, and charges for what is
 * new. One without a new answer is not stored.
 */
async function respond(
  deps: ServiceDeps,
  call: PaidCall,
  outcomes: readonly BatchOutcome[],
  before: StoredBatch = { credits: 0, outcomes: [] },
): Promise<TextResponse> {
  const answered = outcomes.filter(({ response }) => response.status === 200);
  const charged = answered.filter(({ response }) => response.isFree !== true);
  const released = answered.filter(({ response }) => response.isFree).map((one) => one.requestId);
  const credits = before.credits + charged.length * CALL_CREDITS;
  const next = outcomes.map(describe).values();
  const listed =
    before.outcomes.length === 0
      ? [...next]
      : before.outcomes.map((one) => (isAnswered(one) ? JSON.stringify(one) : next.next().value));
  const body = `{"n":${listed.length},"credits":${credits},"outcomes":[${listed.join(',')}]}`;
  Object.assign(call.logged, { questions: outcomes.length, answered: answered.length });
  const balance = await deps.store.readBalance(call.key.customerId);
  const response = jsonTextResponse(200, body, {
    'X-Token-Budget': String(estimateTokens(body.length)),
    [BALANCE_HEADER]: String(creditsLeft(balance)),
  });
  if (answered.length === 0) return response;
  return await chargeAnswer(deps, call, response, {
    charged: charged.map(({ requestId }) => requestId),
    released,
    measures: Object.fromEntries(
      charged.flatMap(({ requestId, response: { measures } }) =>
        measures === undefined ? [] : [[requestId, measures] as const],
      ),
    ),
  });
}

/** An outcome as JSON. The answer is JSON already. */
function describe({ requestId, response }: BatchOutcome): string {
  const { status, headers, body } = response;
  if (status !== 200) {
    const { 'X-Error-Code': code, 'Retry-After': after } = headers;
    const error = { status, request_id: requestId, code, error: body };
    return JSON.stringify(after === undefined ? error : { ...error, retry_after: Number(after) });
  }
  const facts = JSON.stringify({
    status,
    request_id: requestId,
    index_version: headers[INDEX_VERSION_HEADER],
    rerank: headers[RERANK_HEADER],
    question_language: headers[QUESTION_LANGUAGE_HEADER],
    lanes: headers[LANES_HEADER],
  });
  return `${facts.slice(0, -1)},"answer":${body}}`;
}
