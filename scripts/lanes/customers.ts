/** Customers who ask one question after the other, and the check of what they paid. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Customer, createCustomers, readBooks } from '../measure/accounts.ts';
import { createClient, searchRequest } from '../measure/clients.ts';
import type { Random } from '../measure/random.ts';
import { sumOf } from '../measure/statistics.ts';

export interface Asking extends Customer {
  /** Responses by status. 0: the connection broke. */
  statuses: Record<string, number>;
}

export interface AskOptions {
  nextQuestion: () => string;
  goOn: () => boolean;
  /** The minimum time between two questions. */
  everyMs?: number;
}

export function addAsking(database: string, count: number, name: string): Asking[] {
  const names = Array.from({ length: count }, (_, number) => `${name}-${number}`);
  return createCustomers(database, names).map((customer) => ({ ...customer, statuses: {} }));
}

/** Asks one question after another while `goOn` returns true. Returns their times in milliseconds. */
export async function askOn(
  { statuses, secret }: Asking,
  port: number,
  { nextQuestion, goOn, everyMs = 0 }: AskOptions,
): Promise<number[]> {
  const times: number[] = [];
  const client = createClient(port);
  while (goOn()) {
    const request = searchRequest(nextQuestion(), { port, secret });
    const { status, milliseconds } = await client.send(request);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 0) break;
    times.push(milliseconds);
    if (milliseconds < everyMs && goOn()) await wait(everyMs - milliseconds);
  }
  client.close();
  return times;
}

/** Returns errors in the ledger. A 200 must cost its credit. All other responses must return it. */
export function checkLedger(database: string, customers: readonly Asking[]): string[] {
  const { wrong, countOf } = readBooks(database);
  const unjust = customers.flatMap(({ id, statuses }) => {
    const all = sumOf(Object.values(statuses));
    const served = statuses['200'] ?? 0;
    const [settled, released] = [countOf(id, 'settle'), countOf(id, 'release')];
    if (settled === served && released === all - served) return [];
    const was = `customer ${id} was served ${served} of ${all} searches`;
    return [`${was}, but ${settled} were settled and ${released} released`];
  });
  return [...wrong, ...unjust];
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
