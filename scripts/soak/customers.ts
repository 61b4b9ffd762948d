/** Creates customers with credit and keys, asks their questions, and checks their ledgers. */
import { setTimeout as wait } from 'node:timers/promises';
import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { addCustomer, findCustomer } from '../../src/accounts/sql/customers.ts';
import { listEntries, topUp } from '../../src/accounts/sql/ledger.ts';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { connect, searchRequest } from '../bench/connection.ts';
import type { Random } from '../bench/random.ts';

const CREDITS = 1_000_000;
/** High limits, because the soak does not test rate or concurrency limits. */
const caps = { requestsPerMinute: 1_000_000, inFlightMax: 100 };

export interface Customer {
  email: string;
  secret: string;
  /** Responses by status. 0: the connection broke. */
  statuses: Map<number, number>;
}

export function createCustomers(database: string, count: number, name: string): Customer[] {
  return inStore(database, (db) =>
    Array.from({ length: count }, (_, i) => {
      const email = `${name}-${i}@localhost`;
      const now = Date.now();
      const customerId = addCustomer(db, { email, now }).id;
      topUp(db, { customerId, credits: CREDITS, now });
      const { secret } = createKey(db, { customerId, name: 'soak', ...caps, now });
      return { email, secret, statuses: new Map() };
    }),
  );
}

export interface Asking {
  nextQuestion: () => string;
  goOn: () => boolean;
  /** The minimum time between two questions. */
  everyMs?: number;
}

/** Asks one question after another while `goOn` returns true. Returns their times in milliseconds. */
export async function askOn(
  customer: Customer,
  port: number,
  { nextQuestion, goOn, everyMs = 0 }: Asking,
): Promise<number[]> {
  const milliseconds: number[] = [];
  const connection = await connect(port);
  while (goOn()) {
    const started = performance.now();
    const request = searchRequest(nextQuestion(), { port, secret: customer.secret });
    const status = await connection.send(request).then(
      (reply) => reply.status,
      () => 0,
    );
    customer.statuses.set(status, (customer.statuses.get(status) ?? 0) + 1);
    if (status === 0) break;
    const passed = performance.now() - started;
    milliseconds.push(passed);
    if (passed < everyMs && goOn()) await wait(everyMs - passed);
  }
  connection.close();
  return milliseconds;
}

/** Returns errors in the ledger. A 200 must cost its credit. All other responses must return it. */
export function checkLedger(database: string, customers: readonly Customer[]): string[] {
  return inStore(database, (db) =>
    customers.flatMap(({ email, statuses }) => {
      const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
      const served = statuses.get(200) ?? 0;
      const entries = listEntries(db, {
        customerId: findCustomer(db, email).id,
        limit: 3 * all + 10,
      });
      const count = (kind: string): number => entries.filter((entry) => entry.kind === kind).length;
      const [settled, released] = [count('settle'), count('release')];
      if (settled === served && released === all - served) return [];
      return [
        `${email} was served ${served} of ${all} searches, ` +
          `but ${settled} were settled and ${released} released`,
      ];
    }),
  );
}

const subjects = ['harpsichords', 'sourdough', 'heraldry', 'falconry', 'bagpipes', 'crochet'];
const things = ['varnish', 'tuning', 'inheritance', 'feathers', 'reeds', 'knots', 'ovens', 'bells'];
const places = ['in Lisbon', 'on barges', 'at weddings', 'under snow', 'by candlelight'];

/** A unique question about a subject that is not in the sample. */
export function drawOutOfDomainQuestion(random: Random): string {
  const pick = (words: readonly string[]): string => words[random.below(words.length)] as string;
  const number = random.below(1_000_000);
  return `what did ${pick(subjects)} do for ${pick(things)} ${pick(places)} in booklet ${number}`;
}

function inStore<Result>(database: string, work: (db: Connection) => Result): Result {
  const db = openStore({ path: database, lockWaitMs: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
