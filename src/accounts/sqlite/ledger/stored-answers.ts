/**
 * Answers to requests with an `Idempotency-Key`. A repeat gets the stored one, so it must be durable
 * together with its charge. A key of a customer has at most one answer until that expires.
 */
import type { Connection } from '../../../database/sqlite/connection.ts';
import type { AnswerMeasures } from './answer-measures.ts';
import type { Ledger } from './ledger.ts';

/** What a customer calls a request that may be repeated. */
export interface RequestName {
  customerId: number;
  idempotencyKey: string;
}

/** Identifies a request that may be repeated. */
export interface RepeatableRequest extends RequestName {
  /** The same for the same request. */
  fingerprint: Uint8Array;
  /** The request whose stored answer the new one replaces: a batch of which questions had failed. */
  replaces?: string;
}

export interface StoredAnswer {
  fingerprint: Uint8Array;
  /** The request that was answered first. */
  requestId: string;
  headers: Record<string, string>;
  body: string;
}

/** An answer, and what becomes of the holds that were made for it. */
export interface AnswerToStore {
  request: RepeatableRequest;
  requestId: string;
  headers: Record<string, string>;
  body: string;
  expiresAt: number;
  /** Holds that are charged. */
  charged: readonly string[];
  /** What is known of the charged answers, by the request ids of their holds. */
  measures?: Readonly<Record<string, AnswerMeasures>>;
  /** Holds that are released: they answer nothing. */
  released: readonly string[];
  now: number;
}

/** Answers that are stored, and their bytes. */
export interface StoredTotals {
  answers: number;
  bytes: number;
}

export interface AnswerReader {
  /** Returns the answer of a key; undefined if there is none, or it has expired. */
  find(request: RequestName, now: number): StoredAnswer | undefined;
  /** The answers of a customer, those that have expired but are not deleted yet included. */
  totalsOf(customerId: number): StoredTotals;
  /** The answers of all customers. */
  totals(): StoredTotals;
}

/** The row of the totals that counts all customers. No customer has this id. */
const EVERYBODY = 0;

export function createAnswerReader(db: Connection): AnswerReader {
  const find = db.prepare(
    `SELECT fingerprint, request_id AS requestId, headers, body FROM stored_answers
     WHERE customer_id = ? AND idempotency_key = ? AND expires_at > ?`,
  );
  const readTotals = db.prepare(
    'SELECT answers, bytes FROM stored_answer_totals WHERE customer_id = ?',
  );
  const totalsOf = (customerId: number): StoredTotals =>
    (readTotals.get(customerId) as StoredTotals | undefined) ?? { answers: 0, bytes: 0 };
  return {
    find({ customerId, idempotencyKey }, now) {
      const row = find.get(customerId, idempotencyKey, now) as
        | (Omit<StoredAnswer, 'headers'> & { headers: string })
        | undefined;
      return row && { ...row, headers: JSON.parse(row.headers) as StoredAnswer['headers'] };
    },
    totalsOf,
    totals: () => totalsOf(EVERYBODY),
  };
}

/**
 * Returns a step of the ledger: charges and releases holds, and stores the answer. It returns the
 * balance. It throws if a hold to be charged is not open, or if the key has another answer than the one to
 * be replaced; the caller's transaction then undoes all of it.
 */
export function prepareStoreAnswer(
  db: Connection,
  ledger: Ledger,
): (answer: AnswerToStore) => number | undefined {
  const deleteFormer = db.prepare(
    `DELETE FROM stored_answers
     WHERE customer_id = ? AND idempotency_key = ? AND (expires_at <= ? OR request_id = ?)`,
  );
  const insert = db.prepare('INSERT INTO stored_answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  return ({ request, requestId, headers, body, expiresAt, charged, measures, released, now }) => {
    let balance: number | undefined;
    for (const id of released) balance = ledger.release(id, now) ?? balance;
    for (const id of charged) {
      balance = ledger.settle(id, now, measures?.[id]);
      if (balance === undefined) throw new Error(`the hold ${id} is not open`);
    }
    const { customerId, idempotencyKey, fingerprint, replaces = null } = request;
    deleteFormer.run(customerId, idempotencyKey, now, replaces);
    const headerText = JSON.stringify(headers);
    insert.run(
      ...[customerId, idempotencyKey, fingerprint, requestId, headerText, body],
      ...[Buffer.byteLength(body) + Buffer.byteLength(headerText), expiresAt],
    );
    return balance;
  };
}

/** Deletes answers that have expired, the oldest first. Returns how many, at most `limit`. */
export function deleteExpiredAnswers(
  db: Connection,
  { now, limit }: { now: number; limit: number },
): number {
  return db
    .prepare(
      `DELETE FROM stored_answers WHERE rowid IN (
         SELECT rowid FROM stored_answers WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    )
    .run(now, limit).changes;
}
