/** Verifies the references of a manuscript, and each of its quotes in the papers that it cites. */
import type { OpenVerify } from '../open-verify.ts';
import type { QuoteItem, QuoteResult } from '../quotes/verify-quote.ts';
import type { NamedReference } from '../references/read-file.ts';
import type { ReferenceResult, ReferenceValue } from '../references/verify-reference.ts';
import type { Manuscript, ManuscriptQuote, ManuscriptReference } from './manuscript.ts';

/** A reference with its result. */
export type WithResult<Named> = Omit<Named, 'problem' | 'reference'> & {
  /** The reference as written, if it could be read. */
  reference?: ReferenceValue;
} & ReferenceResult;

export type CheckedReference = WithResult<ManuscriptReference>;

/** A quote of a manuscript with the result for that of its citations which fits best. */
export type CheckedQuote = ManuscriptQuote & QuoteResult;

export interface ManuscriptReport {
  references: CheckedReference[];
  quotes: CheckedQuote[];
  /** Quotes without a citation, which are not checked. */
  uncited: number;
  /** Files that were not read, with the reason. */
  unread: string[];
}

/** The work is in the index, so the quote must stand in its paper. */
const FOUND: readonly string[] = ['match', 'match_unverified', 'match_with_errors'];
/** How much a verdict says, for choosing among the citations of a quote. */
const ORDER: readonly QuoteResult['verdict'][] = [
  ...(['exact', 'near', 'elsewhere', 'not_indexed', 'not_found', 'unreadable'] as const),
];

/** Results are in the order of the manuscript. */
export async function verifyManuscript(
  { references, quotes, unread }: Manuscript,
  verifier: Pick<OpenVerify, 'verify'>,
): Promise<ManuscriptReport> {
  const read = references.filter((one) => 'reference' in one);
  const results = (await verifier.verify(read, { include: ['assessment'] })) as ReferenceResult[];
  const checked = withResults(references, results);
  const cited = quotes.filter(({ cites }) => cites.length > 0);
  return {
    references: checked,
    quotes: await verifyQuotes(cited, checked, verifier),
    uncited: quotes.length - cited.length,
    unread,
  };
}

/** The references, each with its result. `results` are those of the references that were read. */
export function withResults<Named extends NamedReference>(
  references: readonly Named[],
  results: readonly ReferenceResult[],
): WithResult<Named>[] {
  let at = 0;
  return references.map((one) => {
    if (!('problem' in one)) return { ...one, ...(results[at++] as ReferenceResult) };
    const { problem: reason, ...rest } = one;
    return { ...rest, kind: 'reference', verdict: 'unreadable', reason };
  }) as WithResult<Named>[];
}

async function verifyQuotes(
  quotes: readonly ManuscriptQuote[],
  references: readonly CheckedReference[],
  verifier: Pick<OpenVerify, 'verify'>,
): Promise<CheckedQuote[]> {
  // If two references have one name, the citation means the first.
  const byName = new Map([...references].reverse().map((one) => [one.name, one]));
  const asked = quotes.flatMap((quote) => {
    const cited = quote.cites.flatMap((key) => byName.get(key) ?? []);
    return spellingsOf(quote.quote).flatMap((text) =>
      itemsOf(text, cited).map((one) => ({ quote, ...one })),
    );
  });
  const results = (await verifier.verify(asked.map(({ item }) => item))) as QuoteResult[];
  const best = new Map<ManuscriptQuote, QuoteResult>();
  for (const [at, { quote, candidates, item }] of asked.entries()) {
    const result = results[at] as QuoteResult;
    const judged = item.id === undefined ? withoutPaper(result, candidates) : result;
    const before = best.get(quote);
    if (before === undefined || isBetter(judged, before)) best.set(quote, judged);
  }
  return quotes.map((quote) => {
    const result = best.get(quote) as QuoteResult;
    const unknown = quote.cites.filter((key) => !byName.has(key)).join(', ');
    if (unknown === '' || result.verdict !== 'not_indexed') return { ...quote, ...result };
    return { ...quote, ...result, reason: `the manuscript has no reference ${unknown}` };
  });
}

/** The quote, and as it begins in its source: a manuscript adapts the first letter to its own sentence. */
function spellingsOf(quote: string): string[] {
  const [first = ''] = quote;
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return [...new Set([quote, other + quote.slice(first.length)])];
}

interface Asked {
  item: QuoteItem;
  /** Papers that may be the one that is cited. */
  candidates: string[];
}

/** What to ask about a quote: each paper that it cites, and all papers if one of these is not known. */
function itemsOf(quote: string, cited: readonly CheckedReference[]): Asked[] {
  const found = cited.filter(({ verdict, d }) => FOUND.includes(verdict) && d !== undefined);
  const asked = found.map(({ d = '' }) => ({ item: { quote, id: d }, candidates: [] as string[] }));
  if (cited.length > 0 && found.length === cited.length) return asked;
  const candidates = cited.flatMap(({ d, other }) => [d ?? [], other?.d ?? []].flat());
  return [...asked, { item: { quote }, candidates }];
}

/** The result for a cited paper that is not known: its words in another paper are all that can be said. */
function withoutPaper(result: QuoteResult, candidates: readonly string[]): QuoteResult {
  if (result.d !== undefined && candidates.includes(result.d)) return result;
  if (result.verdict === 'exact') return { ...result, verdict: 'elsewhere', coverage: 'none' };
  return { kind: 'quote', verdict: 'not_indexed', coverage: 'none' };
}

/** Whether a result says more for a quote than another one. */
function isBetter(one: QuoteResult, other: QuoteResult): boolean {
  const rank = ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict);
  const share = (other.share ?? 0) - (one.share ?? 0);
  const difference = (one.diff?.length ?? 0) - (other.diff?.length ?? 0);
  return (rank || share || difference) < 0;
}
