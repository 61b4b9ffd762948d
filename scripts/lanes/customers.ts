/** Customers who ask one question after the other, and the check of what they paid. */
import { setTimeout as wait } from 'node:timers/promises';
import { createCustomers } from '../measure/accounts.ts';
import { askInTurn, type Reply, type Target } from '../measure/clients.ts';
import { oneOf, type Random } from '../measure/random.ts';

export interface AskOptions {
  nextQuestion: () => string;
  goOn: () => boolean;
  /** The minimum time between two questions. */
  everyMs?: number;
}

export type Asked = Pick<Reply, 'status' | 'milliseconds'>;

/** Adds customers. Returns the secrets of their keys. */
export function addAsking(database: string, count: number, name: string): string[] {
  const names = Array.from({ length: count }, (_, number) => `${name}-${number}`);
  return createCustomers(database, names).map(({ secret }) => secret);
}

/** Asks one question after another while `goOn` returns true. */
export async function askOn(
  target: Target,
  { nextQuestion, goOn, everyMs = 0 }: AskOptions,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const next = () => (goOn() ? nextQuestion() : undefined);
  await askInTurn(target, next, async ({ status, milliseconds }) => {
    asked.push({ status, milliseconds });
    if (milliseconds < everyMs && goOn()) await wait(everyMs - milliseconds);
  });
  return asked;
}

const subjects = ['harpsichords', 'sourdough', 'heraldry', 'falconry', 'bagpipes', 'crochet'];
const things = ['varnish', 'tuning', 'inheritance', 'feathers', 'reeds', 'knots', 'ovens', 'bells'];
const places = ['in Lisbon', 'on barges', 'at weddings', 'under snow', 'by candlelight'];

/** A unique question about a subject that is not in the sample. */
export function drawOutOfDomainQuestion(random: Random): string {
  const pick = (words: readonly string[]): string => oneOf(words, random);
  const number = random.below(1_000_000);
  return `what did ${pick(subjects)} do for ${pick(things)} ${pick(places)} in booklet ${number}`;
}
