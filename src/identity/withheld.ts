/**
 * How sources say that a paper was retracted or withdrawn. Files and fallback lanes share these
 * rules. Pure.
 */
import type { SourceRecord } from '../types.ts';

export type Withheld = NonNullable<SourceRecord['withheld']>;

const RETRACTED = '(?:retracted|retraction(?: note| notice)?|notice of retraction)';
const WITHDRAWN =
  '(?:withdrawn|withdrawal notice|notice of (?:withdrawal|removal)|temporary removal)';
const KIND = '(?: (?:article|paper|chapter|publication|manuscript|preprint))?(?: to| of)?';

/** A mark at the start or, in brackets, at the end of a title. */
function markPattern(word: string): RegExp {
  return new RegExp(
    [
      // "RETRACTED: ", "Retracted article—", "[WITHDRAWN] ", "Retraction notice to: ".
      `^[\\s*"'“]*(?:[[(]\\s*${word}${KIND}\\s*[\\])][:.\\s]*|${word}${KIND}\\s*[*]*\\s*(?:[:–—]|-\\s)\\s*)`,
      // "Moths of the coast (Retracted)".
      `\\s*[[(]\\s*${word}${KIND}\\s*[\\])]\\.?\\s*$`,
    ].join('|'),
    'i',
  );
}

const MARKS: readonly [Withheld, RegExp][] = [
  ['retracted', markPattern(RETRACTED)],
  ['withdrawn', markPattern(WITHDRAWN)],
];

/**
 * Words that are marks only in capitals, and only where the rest of the title is not: "Retracted
 * papers" and "Withdrawal: symptoms" are subjects of research.
 */
const CAPITALS: readonly [Withheld, RegExp][] = [
  ['retracted', /^RETRACTED(?: ARTICLE)?\b[\s:]*(?=.*\p{Ll})/u],
  ['withdrawn', /^(?:WITHDRAWN(?: ARTICLE)?\b[\s:]*|(?:WITHDRAWAL|REMOVED):\s*)(?=.*\p{Ll})/u],
];

/** What a title says of its paper; undefined where it says nothing. */
export function withheldByTitle(title: string): Withheld | undefined {
  const found = [...MARKS, ...CAPITALS].find(([, pattern]) => pattern.test(title.trim()));
  return found?.[0];
}

/** The title as it was before the mark was put in. */
export function titleWithoutMark(title: string): string {
  return [...MARKS, ...CAPITALS]
    .reduce((text, [, pattern]) => text.replace(pattern, ''), title.trim())
    .trim();
}

/** Crossref's kinds of updates that take a paper back. */
const UPDATES: ReadonlyMap<string, Withheld> = new Map([
  ['retraction', 'retracted'],
  ['withdrawal', 'withdrawn'],
  ['removal', 'withdrawn'],
]);

/** What Crossref's `type` of an update, in `update-to` or `updated-by`, does to the paper. */
export function withheldByUpdate(type: string): Withheld | undefined {
  return UPDATES.get(type.toLowerCase());
}

/** What PubMed's types of a publication say of it. */
export function withheldByPublicationTypes(types: readonly string[]): Withheld | undefined {
  return types.some((type) => type.toLowerCase() === 'retracted publication')
    ? 'retracted'
    : undefined;
}

const PAPER = '(?:paper|article|submission|manuscript|work|preprint|note|version)';
const WITHDRAWAL = new RegExp(
  [
    `^\\W*(?:this|the) (?:\\w+ ){0,2}${PAPER} (?:has been|had been|is|was) (?:\\w+ )?withdrawn\\b`,
    // "Withdrawn by the authors." but not "Withdrawn patients were asked."
    `^\\W*(?:${PAPER} )?(?:(?:has been|is|was) )?withdrawn` +
      '(?=\\W*$|[.,;:)]| (?:by|due|because|as|at|for|from|on|pending|until|since|after|owing|and)\\b)',
  ].join('|'),
  'i',
);

/** Whether authors say in the abstract or in the comments, as on arXiv, that they withdrew it. */
export function isWithdrawnByAuthors({
  abstract,
  comments = '',
}: {
  abstract: string;
  comments?: string;
}): boolean {
  return WITHDRAWAL.test(abstract) || WITHDRAWAL.test(comments);
}
