/**
 * Detects papers that were retracted or withdrawn and are therefore withheld from results. Files and
 * fallback lanes share these rules. Pure.
 */
import type { SourceRecord } from '../types.ts';

export type Withheld = NonNullable<SourceRecord['withheld']>;

const RETRACTED = '(?:retracted|retraction(?: note| notice)?|notice of retraction)';
const WITHDRAWN =
  '(?:withdrawn|withdrawal notice|notice of (?:withdrawal|removal)|temporary removal)';
const KIND = '(?: (?:article|paper|chapter|publication|manuscript|preprint))?(?: to| of)?';

/** Matches a mark at the start of a title or, in brackets, at its end. */
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
 * Words that are marks only in capitals, before a title with small letters: "Retracted papers" and
 * "Withdrawal: symptoms" are research topics.
 */
const CAPITALS: readonly [Withheld, RegExp][] = [
  ['retracted', /^RETRACTED(?: ARTICLE)?\b[\s:]*(?=.*\p{Ll})/u],
  [
    'withdrawn',
    /^(?:(?:WITHDRAWN(?: ARTICLE)?|TEMPORARY REMOVAL)\b[\s:]*|(?:WITHDRAWAL|REMOVED):\s*)(?=.*\p{Ll})|^TEMPORARY REMOVAL$/u,
  ],
];

/** Why the paper is withheld according to its title, or undefined. */
export function withheldByTitle(title: string): Withheld | undefined {
  const found = [...MARKS, ...CAPITALS].find(([, pattern]) => pattern.test(title.trim()));
  return found?.[0];
}

/** The title without its mark, unless it is nothing else. */
export function titleWithoutMark(title: string): string {
  const rest = [...MARKS, ...CAPITALS]
    .reduce((text, [, pattern]) => text.replace(pattern, ''), title.trim())
    .trim();
  return rest || title.trim();
}

/** Why the paper is withheld according to its PubMed publication types, or undefined. */
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

/** Whether the abstract or, on arXiv, the comments say that the paper was withdrawn. */
export function isWithdrawnByAuthors({
  abstract,
  comments = '',
}: {
  abstract: string;
  comments?: string;
}): boolean {
  return WITHDRAWAL.test(abstract) || WITHDRAWAL.test(comments);
}
