/** What paid calls read and write on PostgreSQL, each in one round trip. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { ApiKey } from '../sql/api-keys.ts';
import { boundOf } from '../sql/latency-bounds.ts';
import { hashToken } from '../sql/secret-tokens.ts';
import { type AnswerMeasures, sourcesOf } from '../sqlite/ledger/answer-measures.ts';
import type { HoldRequest } from '../sqlite/ledger/ledger.ts';
import type {
  AnswerToStore,
  RequestName,
  StoredAnswer,
  StoredTotals,
} from '../sqlite/ledger/stored-answers.ts';

/** A key with what an admission reads. */
export interface AdmittedKey {
  key: ApiKey;
  rate: { allowed: boolean; tokens: number; perMinute: number };
  balance: number;
  /** The credits that the key has used this month. */
  used: number;
}

type AdmittedRow = Omit<AdmittedKey, 'rate'> & AdmittedKey['rate'] & { place: number };

/** A secret that somebody shows. */
export interface ShownSecret {
  secret: string;
  /** Whether access tokens of clients count, too. */
  acceptsTokens: boolean;
  now: number;
}

/** Admits secrets in one round trip. Gives an admission, or undefined, for each. */
export async function admitSecrets(
  { query }: Queries,
  shown: readonly ShownSecret[],
  requestsPerMinute: number,
): Promise<(AdmittedKey | undefined)[]> {
  const rows = await query<AdmittedRow>('SELECT * FROM admit_secrets($1, $2, $3, $4)', [
    shown.map(({ secret }) => hashToken(secret)),
    shown.map(({ acceptsTokens }) => acceptsTokens),
    shown.map(({ now }) => now),
    requestsPerMinute,
  ]);
  const found = new Map(rows.map((row) => [row.place, row]));
  return shown.map((_, index) => admittedOf(found.get(index + 1)));
}

export async function admitNamed(
  { query }: Queries,
  { customerId, prefix, now }: { customerId: number; prefix: string; now: number },
  requestsPerMinute: number,
): Promise<AdmittedKey | undefined> {
  const [row] = await query<AdmittedRow>(
    `SELECT * FROM admit_keys(ARRAY(SELECT id FROM api_keys WHERE customer_id = $1 AND prefix = $2),
       ARRAY[$3::bigint], $4)`,
    [customerId, prefix, now, requestsPerMinute],
  );
  return admittedOf(row);
}

function admittedOf(row: AdmittedRow | undefined): AdmittedKey | undefined {
  if (row === undefined) return undefined;
  const { key, balance, used, perMinute, allowed, tokens } = row;
  return { key, rate: { allowed, tokens, perMinute }, balance, used };
}

/** Counts requests against the rate of a key, one after the other. */
export async function takeRates(
  { query }: Queries,
  input: { keyId: number; perMinute: number; count: number; now: number },
): Promise<{ allowed: boolean; tokens: number }[]> {
  return await query(
    `SELECT rate.allowed, rate.tokens
     FROM generate_series(1, $4::bigint) AS place, LATERAL take_rate($1, $2, $3 + 0 * place) AS rate`,
    [input.keyId, input.perMinute, input.now, input.count],
  );
}

export type Step =
  | ({ kind: 'hold' } & HoldRequest)
  | {
      kind: 'settle' | 'release';
      requestId: string;
      now: number;
      measures?: AnswerMeasures | undefined;
    };

export interface StepResult {
  balance: number | null;
  failure: 'key_cap_reached' | null;
}

/** Applies steps in one transaction, in their order. */
export async function applySteps(
  { query }: Queries,
  steps: readonly Step[],
  nodeId: string,
): Promise<StepResult[]> {
  const written = steps.map((step) =>
    step.kind === 'settle' ? { ...step, measures: writtenMeasures(step.measures) } : step,
  );
  return await query('SELECT balance, failure FROM apply_steps($1, $2)', [
    JSON.stringify(written),
    nodeId,
  ]);
}

/** The measures as the functions of the database count them. */
function writtenMeasures(measures: AnswerMeasures | undefined) {
  if (measures === undefined) return undefined;
  const { milliseconds, lanes, outcome, question } = measures;
  // A document of JSON has no U+0000, either.
  const kept = question && { ...question, text: question.text.replaceAll('\u0000', '\ufffd') };
  return { boundMs: boundOf(milliseconds), lanes: sourcesOf(lanes), outcome, question: kept };
}

/** Charges and releases holds, and stores the answer. Returns the balance. */
export async function storeAnswer(
  { query }: Queries,
  { request, headers, measures = {}, ...answer }: AnswerToStore,
  nodeId: string,
): Promise<number> {
  const { customerId, idempotencyKey, fingerprint, replaces } = request;
  const written = Object.entries(measures).map(([id, one]) => [id, writtenMeasures(one)]);
  const content = {
    ...answer,
    customerId,
    idempotencyKey,
    replaces,
    headers: JSON.stringify(headers),
    measures: Object.fromEntries(written),
  };
  const [row] = await query<{ balance: number }>('SELECT store_answer($1, $2, $3) AS balance', [
    ...[JSON.stringify(content), Buffer.from(fingerprint), nodeId],
  ]);
  return Number(row?.balance);
}

const NONE: StoredTotals = { answers: 0, bytes: 0 };
/** The row of the totals that counts all customers. */
const EVERYBODY = 0;

type AnswerRow = Omit<StoredAnswer, 'headers'> & { headers: string };

/** Finds an answer and the totals. */
export async function findAnswer(
  { query }: Queries,
  request: RequestName & { now: number },
): Promise<{ stored: StoredAnswer | undefined; own: StoredTotals; all: StoredTotals }> {
  const { customerId, idempotencyKey, now } = request;
  const totals = (id: string): string =>
    `(SELECT json_build_object('answers', answers, 'bytes', bytes)
      FROM stored_answer_totals WHERE customer_id = ${id})`;
  const [row] = await query<Partial<AnswerRow> & { own?: StoredTotals; all?: StoredTotals }>(
    `SELECT fingerprint, request_id AS "requestId", headers, body,
       ${totals('$1')} AS own, ${totals(String(EVERYBODY))} AS all
     FROM (VALUES (1)) AS one LEFT JOIN stored_answers
       ON customer_id = $1 AND idempotency_key = $2 AND expires_at > $3`,
    [customerId, idempotencyKey, now],
  );
  const { own, all, ...found } = row ?? {};
  return { stored: storedOf(found), own: own ?? NONE, all: all ?? NONE };
}

function storedOf(row: Partial<AnswerRow>): StoredAnswer | undefined {
  if (typeof row.headers !== 'string') return undefined;
  return { ...(row as AnswerRow), headers: JSON.parse(row.headers) as StoredAnswer['headers'] };
}

export async function readAnswerTotals({ query }: Queries): Promise<StoredTotals> {
  const [row] = await query<StoredTotals>(
    'SELECT answers, bytes FROM stored_answer_totals WHERE customer_id = $1',
    [EVERYBODY],
  );
  return row ?? NONE;
}

/** Deletes answers that have expired, the oldest first. Returns how many. */
export async function deleteExpiredAnswers(
  { query }: Queries,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const rows = await query(
    `DELETE FROM stored_answers WHERE (customer_id, idempotency_key) IN (
       SELECT customer_id, idempotency_key FROM stored_answers WHERE expires_at <= $1
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1`,
    [now, limit],
  );
  return rows.length;
}

/** Deletes measures of days before `before`. Returns how many rows. */
export async function deleteOldMeasures(
  { query }: Queries,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  let left = limit;
  for (const table of ['latency_days', 'lane_days', 'outcome_days', 'request_days']) {
    const rows = await query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))
       RETURNING 1`,
      [before, left],
    );
    left -= rows.length;
  }
  return limit - left;
}

export async function renewLease({ query }: Queries, nodeId: string, leaseMs: number) {
  await query('SELECT renew_lease($1, $2)', [nodeId, leaseMs]);
}

/** Ends the lease of a node, so that others release what it still holds. */
export async function endLease({ query }: Queries, nodeId: string): Promise<void> {
  await query('DELETE FROM nodes WHERE id = $1', [nodeId]);
}

/** Lists the holds of a node, at most `limit`. */
export async function listHoldsOf(
  { query }: Queries,
  { nodeId, limit }: { nodeId: string; limit: number },
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    'SELECT request_id AS id FROM open_holds WHERE node_id = $1 LIMIT $2',
    [nodeId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Releases holds of dead nodes. Returns how many, at most `limit`. */
export async function releaseDeadHolds(
  { query }: Queries,
  input: { nodeId: string; leaseMs: number; now: number; limit: number },
): Promise<number> {
  const [row] = await query<{ released: number }>(
    'SELECT release_dead_holds($1, $2, $3, $4) AS released',
    [input.nodeId, input.leaseMs, input.now, input.limit],
  );
  return row?.released ?? 0;
}
