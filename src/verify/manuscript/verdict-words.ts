/** What reports call the verdicts, which of them are doubtful, and which come first. Pure. */
import { documentIdOf, identifiersOf, type Scheme } from '../../identity/identifiers.ts';
import { paperAddress } from '../../identity/paper-address.ts';
import type { QuoteResult } from '../quotes/verify-quote.ts';
import type { CheckedQuote, CheckedReference, ManuscriptReport } from './verify-manuscript.ts';

/** A reference or a quote with its verdict. */
export type Checked =
  | Pick<CheckedReference, 'kind' | 'verdict'>
  | Pick<CheckedQuote, 'kind' | 'verdict'>;

/** `wrong`: the exit code counts it. `open`: nobody can say. */
export type Doubt = 'wrong' | 'open' | 'none';

interface Words {
  meaning: string;
  doubt: Doubt;
}

/** By kind and verdict, the most doubtful first. */
const words: Readonly<Record<Checked['kind'], Readonly<Record<string, Words>>>> = {
  reference: {
    conflict: { meaning: 'identifier of one work, title of another', doubt: 'wrong' },
    not_found: { meaning: 'not in the index', doubt: 'wrong' },
    possible_match: { meaning: 'may be another work', doubt: 'wrong' },
    match_with_errors: { meaning: 'has errors', doubt: 'wrong' },
    unreadable: { meaning: 'cannot be read', doubt: 'wrong' },
    match_unverified: { meaning: 'found, but not all of it can be checked', doubt: 'open' },
    match: { meaning: 'ok', doubt: 'none' },
  },
  quote: {
    elsewhere: { meaning: 'not in the cited paper, but in another one', doubt: 'wrong' },
    near: { meaning: 'differs from its source', doubt: 'wrong' },
    not_found: { meaning: 'not in the abstract of the cited paper', doubt: 'open' },
    not_indexed: { meaning: 'the cited paper is not in the index', doubt: 'open' },
    unreadable: { meaning: 'cannot be read', doubt: 'open' },
    exact: { meaning: 'word for word', doubt: 'none' },
  },
};

/** What a verdict means, in words, and which lane has the work if the index has not. */
export function meaningOf(checked: Checked & { assessment?: string; src?: string }): string {
  const { kind, verdict, assessment, src } = checked;
  const parts = [words[kind][verdict]?.meaning ?? verdict];
  if (assessment === 'likely_fabricated') parts.push('likely fabricated');
  if (src !== undefined) parts.push(`found at ${src}`);
  return parts.join(', ');
}

/** How doubtful a reference or a quote is. */
export function doubtOf({ kind, verdict }: Checked): Doubt {
  return words[kind][verdict]?.doubt ?? 'open';
}

/** The references or quotes with the most doubtful first, else in their order. */
export function doubtfulFirst<One extends Checked>(all: readonly One[]): One[] {
  const orders = new Map(
    Object.entries(words).map(([kind, verdicts]) => [kind, Object.keys(verdicts)]),
  );
  const rankOf = ({ kind, verdict }: One): number => orders.get(kind)?.indexOf(verdict) ?? 0;
  return [...all].sort((a, b) => rankOf(a) - rankOf(b));
}

/** "3 references, 2 match; 4 quotes, 1 word for word; 1 quote without a citation was not checked". */
export function summaryOf({ references, quotes, uncited }: ManuscriptReport): string {
  const matching = references.filter(({ verdict }) => verdict === 'match').length;
  const exact = quotes.filter(({ verdict }) => verdict === 'exact').length;
  const parts = [
    `${counted(references.length, 'reference')}, ${matching} match`,
    ...(quotes.length === 0 ? [] : [`${counted(quotes.length, 'quote')}, ${exact} word for word`]),
    ...(uncited === 0 ? [] : [`${counted(uncited, 'quote')} without a citation, not checked`]),
  ];
  return parts.join('; ');
}

/** "2 of 3 references do not match the index; ..."; undefined if nothing is wrong. */
export function problemOf({ references, quotes }: ManuscriptReport): string | undefined {
  const wrong = (all: readonly Checked[]): number =>
    all.filter((one) => doubtOf(one) === 'wrong').length;
  const [badReferences, badQuotes] = [wrong(references), wrong(quotes)];
  const parts = [
    ...(badReferences === 0
      ? []
      : [`${badReferences} of ${counted(references.length, 'reference')} do not match the index`]),
    ...(badQuotes === 0
      ? []
      : [`${badQuotes} of ${counted(quotes.length, 'quote')} do not match the cited paper`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** What changed in a quote, as kinds: "number", "marked omission". */
export function changeKindsOf({
  changes = [],
}: QuoteResult & { changes?: readonly { kind: string }[] }): string[] {
  return [...new Set(changes.map(({ kind }) => kind.replaceAll('_', ' ')))];
}

/** The address of an identifier; undefined for other values and fields. */
export function addressOfField(field: string, value: unknown): string | undefined {
  const identifiers = identifiersOf({ [field as Scheme]: value });
  return paperAddress(documentIdOf(identifiers));
}

/** The address of the DOI or the arXiv id in a reference as written; undefined if it has none. */
export function addressInText(text: string): string | undefined {
  const [doi] = /\b10\.\d{4,9}\/[^\s"<>{}]{1,500}/.exec(text) ?? [];
  const [, arxiv] =
    /\b(?:arxiv(?:\.org\/(?:abs|pdf)\/|[:\s]\s{0,3})|eprint\s{0,9}=\s{0,9}[{"]?)([\w.-]{1,30}(?:\/\d{7})?)/i.exec(
      text,
    ) ?? [];
  return paperAddress(documentIdOf(identifiersOf({ doi, arxiv })));
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
