/** What endpoints add to the record of a call while they run, and the record that comes of it. */
import type { FinishedRequest } from '../accounts/request-recorder.ts';
import type { KeyOwner } from '../accounts/sql/own-keys.ts';
import type { RequestDetails } from '../accounts/sql/request-rows.ts';
import type { LogFields } from '../log.ts';
import type { HttpResponse } from './messages.ts';
import { ERROR_CODE_HEADER } from './responses.ts';
import type { StageTimes } from './search-stages.ts';

export interface CallRecord {
  /** What was charged. */
  credits: number;
  /** The lanes that contributed. */
  lanes: readonly string[];
  stages: StageTimes;
  /** The body or the query. */
  asked?: string;
  /** The error of a response whose status does not tell. */
  code?: string;
}

export function newCallRecord(): CallRecord {
  return { credits: 0, lanes: [], stages: {} };
}

/** A call whose response was sent or lost. */
export interface RespondedCall {
  /** Undefined if nobody knows whose it is. */
  owner: KeyOwner | undefined;
  requestId: string;
  path: string;
  record: CallRecord;
  logged: LogFields;
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'>;
  /** Whether the response was handed to the network. */
  sent: boolean;
  milliseconds: number;
  startedAt: number;
}

/** The code of an error that has none of its own. */
const UNNAMED = 'error';

/** Returns the request to record, with texts of at most so many characters. */
export function toRequest(call: RespondedCall, textMax: number): FinishedRequest {
  const { owner, requestId, path, record, response, startedAt: createdAt } = call;
  const { status } = response;
  const named = response.headers[ERROR_CODE_HEADER]?.toString() ?? record.code;
  const code = named ?? (status < 400 ? null : UNNAMED);
  if (owner === undefined) return { customerId: 0, keyId: 0, path, status, code, createdAt };
  return {
    customerId: owner.customerId,
    keyId: owner.id,
    requestId,
    path,
    status,
    code,
    createdAt,
    credits: record.credits,
    milliseconds: Math.round(call.milliseconds),
    lanes: record.lanes.length === 0 ? null : record.lanes.join(','),
    details: JSON.stringify(detailsOf(call, textMax)),
    asked: record.asked?.slice(0, textMax) ?? null,
  };
}

function detailsOf({ record, logged, response, sent }: RespondedCall, textMax: number) {
  const { question: _, ...notes } = logged;
  const details: RequestDetails = {};
  const stages = Object.entries(record.stages).map(([stage, ms]) => [stage, rounded(ms)]);
  if (stages.length > 0) details.stages = Object.fromEntries(stages);
  if (response.status >= 400) details.error = String(response.body).slice(0, textMax);
  if (!sent) details.isLost = true;
  if (Object.keys(notes).length > 0) details.notes = notes;
  return details;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
