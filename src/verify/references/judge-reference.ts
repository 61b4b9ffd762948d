/** The verdict about a reference, from the works that it may mean. Pure. */
import { lettersOf } from '../../identity/record-keys.ts';
import { compareFields, type FieldComparison, type FieldName } from './compare-fields.ts';
import { sharedAuthors } from './names.ts';
import type { Correction, Reference } from './reference.ts';
import { relateTitles, type TitleRelation, titleSimilarity } from './titles.ts';
import { hasIdentifier, identifiersOfWork, type Work } from './work.ts';

/**
 * `match`: the work is in the index, and no field differs.
 * `match_unverified`: the same, but it has an identifier or authors that no record speaks of.
 * `match_with_errors`: it is the work, and a field is wrong.
 * `possible_match`: it may be the work, but too much differs.
 * `conflict`: an identifier of one work, the title of another.
 * `not_found`: the index has no such work.
 */
export type ReferenceVerdict =
  | 'match'
  | 'match_unverified'
  | 'match_with_errors'
  | 'possible_match'
  | 'conflict'
  | 'not_found';

export interface Judgment {
  verdict: ReferenceVerdict;
  /** The work that is meant; for a conflict, that of the identifier. Undefined if not found. */
  work: Work | undefined;
  /** For a conflict: the work of the title, if the index has it. */
  otherWork: Work | undefined;
  fields: FieldComparison[];
}

/** Unrelated works share shorter titles. */
const TITLE_LETTERS_MIN = 24;
const SOFT_FIELDS: readonly FieldName[] = ['year', 'venue'];
/** A similar title needs this share of the authors to be the work. */
const AUTHORS_SHARED_MIN = 0.5;

interface Candidate {
  work: Work;
  relation: TitleRelation;
  /** 0 to 1; 1 if one of the two names no authors. */
  authors: number;
  errors: number;
  fields: FieldComparison[];
}

/** Judges one reading of a reference. `works` are those that its title or identifiers lead to. */
export function judgeReference(cited: Reference, works: readonly Work[]): Judgment {
  const candidates = works.flatMap((work) => candidateOf(cited, work) ?? []).sort(byRank(cited));
  const byIdentifier = candidates.find(({ work }) => hasIdentifier(work, cited.identifiers));
  const byTitle = candidates.find(({ relation }) => relation === 'same');
  if (byIdentifier !== undefined) return judgeIdentified(cited, byIdentifier, byTitle);
  if (byTitle !== undefined) {
    return isStranger(cited, byTitle) ? possible(byTitle) : matched(byTitle);
  }
  const [similar] = candidates.filter(({ relation }) => relation === 'similar');
  if (similar === undefined) return NOTHING;
  const areKnown = cited.authors.length > 0 && similar.authors >= AUTHORS_SHARED_MIN;
  return areKnown ? matched(similar) : possible(similar);
}

/** Whether a short title alone links the reference to the work. */
function isStranger(cited: Reference, { work, authors }: Candidate): boolean {
  const letters = lettersOf(cited.title);
  if (letters.length >= TITLE_LETTERS_MIN) return false;
  const isWhole = work.records.some(({ title }) => lettersOf(title) === letters);
  return authors === 0 || (cited.authors.length === 0 && !isWhole);
}

const NOTHING: Judgment = {
  verdict: 'not_found',
  work: undefined,
  otherWork: undefined,
  fields: [],
};

function judgeIdentified(
  cited: Reference,
  byIdentifier: Candidate,
  byTitle: Candidate | undefined,
): Judgment {
  const isTitled = cited.title === '' || byIdentifier.relation !== 'other';
  const isOther = byTitle !== undefined && byTitle.work !== byIdentifier.work;
  if (isTitled && !(isOther && byIdentifier.relation === 'similar')) return matched(byIdentifier);
  const { work, fields } = byIdentifier;
  return { verdict: 'conflict', work, otherWork: isOther ? byTitle.work : undefined, fields };
}

function matched({ work, fields, errors }: Candidate): Judgment {
  const unverified = uncheckable(fields).length > 0 ? 'match_unverified' : 'match';
  const verdict = errors === 0 ? unverified : 'match_with_errors';
  return { verdict, work, otherWork: undefined, fields };
}

/**
 * The fields by which readers find or credit the work and that no record speaks of. An unverified year
 * or venue changes nothing about which work it is.
 */
export function uncheckable(fields: readonly FieldComparison[]): FieldName[] {
  return fields
    .filter(({ field, verdict }) => verdict === 'unverified' && !SOFT_FIELDS.includes(field))
    .map(({ field }) => field);
}

function possible({ work, fields }: Candidate): Judgment {
  return { verdict: 'possible_match', work, otherWork: undefined, fields };
}

/** Undefined for a work with neither the title nor an identifier of the reference. */
function candidateOf(cited: Reference, work: Work): Candidate | undefined {
  const relations = work.records.map(({ title }) => relateTitles(cited.title, title));
  const relation = (['same', 'similar'] as const).find((each) => relations.includes(each));
  if (relation === undefined && !hasIdentifier(work, cited.identifiers)) return undefined;
  const shares = work.records
    .filter(({ authors }) => authors.length > 0)
    .map(({ authors }) => sharedAuthors(cited.authors, shown(cited, authors)));
  const fields = compareFields(cited, work);
  return {
    work,
    relation: relation ?? 'other',
    authors: cited.authors.length === 0 ? 1 : Math.max(...shares, shares.length === 0 ? 1 : 0),
    errors: fields.filter(({ verdict }) => verdict === 'different').length,
    fields,
  };
}

/** The authors that a list with "et al." would show. */
function shown(cited: Reference, authors: readonly string[]): readonly string[] {
  return cited.hasMoreAuthors ? authors.slice(0, cited.authors.length) : authors;
}

function byRank(cited: Reference): (a: Candidate, b: Candidate) => number {
  const order = { same: 0, similar: 1, other: 2 };
  return (a, b) =>
    order[a.relation] - order[b.relation] ||
    a.errors - b.errors ||
    b.authors - a.authors ||
    similarityOf(cited, b) - similarityOf(cited, a);
}

function similarityOf(cited: Reference, { work }: Candidate): number {
  return titleSimilarity(cited.title, work.versions[0]?.document.title ?? '');
}

/** The right values of the fields that differ. */
export function correctionOf({ fields, work }: Judgment): Correction {
  const correction: Correction = {};
  for (const { field, verdict, recorded } of fields) {
    if (verdict !== 'different' || recorded === undefined) continue;
    if (field === 'title' || field === 'venue') correction[field] = String(recorded);
    if (field === 'year') correction.year = Number(recorded);
    if (field === 'authors') correction.authors = [...(recorded as readonly string[])];
  }
  // What the reader needs to find it.
  if (work !== undefined) correction.identifiers = identifiersOfWork(work);
  return correction;
}
