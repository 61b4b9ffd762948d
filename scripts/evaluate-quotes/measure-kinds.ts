/** Measures which kinds of changes are named of quotes that were changed in one known way each. */
import { changeKinds } from '../../src/verify/quotes/name-changes.ts';
import type { QuoteItem, QuoteResult } from '../../src/verify/quotes/verify-quote.ts';
import { createRandom } from '../measure/random.ts';
import { groupBy } from '../measure/statistics.ts';
import { type Altered, alterations } from './alter-quote.ts';
import { type Abstract, isLong } from './quotes.ts';

interface Judged extends Altered {
  alteration: string;
  result: QuoteResult;
}

export interface MeasuredKinds {
  /** Of each alteration: quotes, verdicts `exact` and `near`, and with which share the change was named. */
  recall: (string | number)[][];
  /** Of each kind: quotes of which it was named, and the share of these that were changed so. */
  precision: (string | number)[][];
  /** Changes that were not named, or named though there are none. */
  wrong: Judged[];
}

/** Alters `count` quotes from the abstracts, as many in each way, and has them verified. */
export async function measureKinds(
  abstracts: readonly Abstract[],
  count: number,
  verify: (item: QuoteItem) => Promise<QuoteResult>,
): Promise<MeasuredKinds> {
  const judged: Judged[] = [];
  for await (const one of judgedQuotes(abstracts, count, verify)) judged.push(one);
  const recall = [...groupBy(judged, ({ alteration }) => alteration)].map(([alteration, all]) => [
    alteration,
    all.length,
    ...['exact', 'near'].map(
      (verdict) => all.filter(({ result }) => result.verdict === verdict).length,
    ),
    share(all, isNamed),
  ]);
  const precision = changeKinds.map((kind) => {
    const all = judged.filter(({ result }) =>
      result.changes?.some((change) => change.kind === kind),
    );
    return [kind, all.length, share(all, (one) => isTrue(one, kind))];
  });
  const isWrong = (one: Judged): boolean =>
    !isNamed(one) || (one.result.changes ?? []).some(({ kind }) => !isTrue(one, kind));
  return { recall, precision, wrong: judged.filter(isWrong) };
}

async function* judgedQuotes(
  abstracts: readonly Abstract[],
  count: number,
  verify: (item: QuoteItem) => Promise<QuoteResult>,
): AsyncGenerator<Judged> {
  const usable = abstracts.filter(({ sentences }) => sentences.some(isLong));
  const each = Math.ceil(count / Object.keys(alterations).length);
  for (const [alteration, alter] of Object.entries(alterations)) {
    const random = createRandom(alteration);
    const made = new Set<string>();
    for (let tries = 0; made.size < each && tries < 100 * each; tries++) {
      const { id, sentences } = usable[random.below(usable.length)] as Abstract;
      const long = sentences.filter(isLong);
      const sentence = long[random.below(long.length)] as string;
      const altered = alter(sentence.split(' '), random, sentences);
      if (altered === undefined || made.has(altered.quote)) continue;
      if (altered.quote === sentence && altered.kinds.length > 0) continue;
      made.add(altered.quote);
      yield { ...altered, alteration, result: await verify({ quote: altered.quote, id }) };
    }
  }
}

/** Whether one of the kinds that must be named was; none must be of a faithful quote. */
function isNamed({ kinds, result }: Judged): boolean {
  const named = result.changes?.map(({ kind }) => kind) ?? [];
  const [first] = kinds;
  if (first === undefined) return result.verdict === 'exact';
  return first.split('|').some((kind) => named.some((each) => each === kind));
}

function isTrue({ kinds }: Judged, kind: string): boolean {
  return kinds.some((each) => each.split('|').includes(kind));
}

function share<Item>(items: readonly Item[], passes: (item: Item) => boolean): string {
  return items.length === 0 ? '' : (items.filter(passes).length / items.length).toFixed(3);
}
