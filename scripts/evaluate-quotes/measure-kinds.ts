/** The verdicts on quotes that were made in known ways, and how often the kind of a change is named. */
import { changeKinds } from '../../src/verify/quotes/name-changes.ts';
import type { QuoteItem, QuoteResult } from '../../src/verify/quotes/verify-quote.ts';
import { createRandom, oneOf } from '../measure/random.ts';
import { groupBy } from '../measure/statistics.ts';
import { type Abstract, type Altered, alterations } from './alter-quote.ts';

export interface Judged extends Altered {
  alteration: string;
  result: QuoteResult;
}

/** Sentences with fewer words say little. */
const WORDS_MIN = 12;
const VERDICTS = ['exact', 'near', 'elsewhere', 'not_found', 'not_indexed', 'unreadable'];
export const recallHead = ['made', 'quotes', ...VERDICTS, 'as it should be'];

/** A row for each alteration: quotes, verdicts, and the share that is judged as it should be. */
export function recallOf(judged: readonly Judged[]): (string | number)[][] {
  return [...groupBy(judged, ({ alteration }) => alteration)].map(([alteration, all]) => {
    const counts = VERDICTS.map((name) => all.filter(({ result }) => result.verdict === name));
    return [alteration, all.length, ...counts.map(({ length }) => length), share(all, isNamed)];
  });
}

/** A row for each kind: quotes of which it was named, and the share of these that were changed so. */
export function precisionOf(judged: readonly Judged[]): (string | number)[][] {
  return changeKinds.map((kind) => {
    const all = judged.filter(({ result }) => result.changes?.some((one) => one.kind === kind));
    return [kind, all.length, share(all, (one) => isTrue(one, kind))];
  });
}

/** Quotes of which a change was not named, or named though there is none. */
export function wrongOf(judged: readonly Judged[]): Judged[] {
  const isWrong = (one: Judged): boolean =>
    !isNamed(one) ||
    (!one.isForeign && (one.result.changes ?? []).some(({ kind }) => !isTrue(one, kind)));
  return judged.filter(isWrong);
}

/** Makes `count` quotes from the abstracts, as many in each way, and has them verified. */
export async function judgeQuotes(
  abstracts: readonly Abstract[],
  count: number,
  verify: (item: QuoteItem) => Promise<QuoteResult>,
): Promise<Judged[]> {
  const isLong = (sentence: string): boolean => sentence.split(' ').length >= WORDS_MIN;
  const usable = abstracts.filter(({ sentences }) => sentences.some(isLong));
  const each = Math.ceil(count / Object.keys(alterations).length);
  const judged: Judged[] = [];
  for (const [alteration, alter] of Object.entries(alterations)) {
    const random = createRandom(alteration);
    const made = new Set<string>();
    for (let tries = 0; made.size < each && tries < 100 * each; tries++) {
      const [source, other] = [oneOf(usable, random), oneOf(usable, random)];
      const sentence = oneOf(source.sentences.filter(isLong), random);
      const altered = alter(sentence.split(' '), random, source, other);
      if (altered === undefined || made.has(altered.quote)) continue;
      if (altered.quote === sentence && altered.kinds.length > 0) continue;
      made.add(altered.quote);
      const { quote, isForeign, isUnnamed } = altered;
      const { id } = isForeign ? other : source;
      const result = await verify(isUnnamed ? { quote } : { quote, id });
      judged.push({ ...altered, alteration, result });
    }
  }
  return judged;
}

/** Whether one of the kinds that must be named was, or the verdict on a quote without changes is right. */
function isNamed({ kinds, isForeign = false, result }: Judged): boolean {
  if (isForeign) return !['exact', 'near'].includes(result.verdict);
  const [first] = kinds;
  if (first === undefined) return result.verdict === 'exact';
  return first.split('|').some((kind) => result.changes?.some((one) => one.kind === kind));
}

function isTrue({ kinds }: Judged, kind: string): boolean {
  return kinds.some((each) => each.split('|').includes(kind));
}

function share<Item>(items: readonly Item[], passes: (item: Item) => boolean): string {
  return items.length === 0 ? '' : (items.filter(passes).length / items.length).toFixed(3);
}
