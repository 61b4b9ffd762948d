/**
 * The parts that damage is reported of while requests are served. SQLite does not say which table is
 * damaged, so a part is as much as one kind of work reads. A check of the file names tables instead.
 */

export interface PartInUse {
  part: string;
  /** Whether searches or the ledger need it. */
  isBlocking: boolean;
}

/** What searches read. */
export const INDEX: PartInUse = { part: 'index', isBlocking: true };
/** What look-ups of papers, verification, and pages read of the index. Searches may need it, too. */
export const LOOK_UPS: PartInUse = { part: 'index', isBlocking: false };
/** What each paid call changes. */
export const LEDGER: PartInUse = { part: 'ledger', isBlocking: true };
/** What each paid call reads: the key, its usage, and the balance of its customer. */
export const KEYS_AND_CREDIT: PartInUse = { part: 'keys_and_credit', isBlocking: true };
/** What searches with an `Idempotency-Key` read. Many clients send one with each search. */
export const STORED_ANSWERS: PartInUse = { part: 'stored_answers', isBlocking: true };
/** What only pages, sign-ins, payments, and the operator need. */
export const ACCOUNTS: PartInUse = { part: 'accounts', isBlocking: false };
/** What lanes have cached, and their pauses. Without it, providers are asked. */
export const LANES: PartInUse = { part: 'lanes', isBlocking: false };
/** What is quoted. A damaged document is left out of answers, and the others take its place. */
export const DOCUMENTS: PartInUse = { part: 'documents', isBlocking: false };

const ofIndex: ReadonlySet<string> = new Set([INDEX.part, DOCUMENTS.part]);

/** Whether a part that searches report is of the index, which may be in a file of its own. */
export function isOfIndex(part: string): boolean {
  return ofIndex.has(part);
}
