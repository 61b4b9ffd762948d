/** Verifies a reference against the index. */
import type { MergedDocument } from '../../identity/merge-records.ts';
import { noticesOf } from '../../identity/notices.ts';
import type { TexBudget } from '../../ingest/values/tex.ts';
import type { LaneName } from '../../settings/lane-choice.ts';
import type { LaneAnswers, Notice } from '../../types.ts';
import type { Assessment, JudgedReference } from './assess-references.ts';
import type { FieldComparison } from './compare-fields.ts';
import { completeSetOf } from './coverage.ts';
import { judgeReadings, type ReferenceDeps } from './judge-readings.ts';
import { correctionOf, type ReferenceVerdict, uncheckable } from './judge-reference.ts';
import { readReference } from './read-reference.ts';
import { type ReadReference, type ReferenceFormat, UnreadableReference } from './reference.ts';
import type { Work } from './work.ts';

export type ReferenceValue = string | Record<string, unknown>;

export interface ReferenceItem {
  /** BibTeX, RIS, CSL-JSON, plain fields, or a string as printed. */
  reference: ReferenceValue;
  /** Its place in the text that it was found in, which the result repeats. */
  place?: { start: number; end: number };
}

export interface ReferenceResult {
  kind: 'reference';
  /** `unreadable`: there is nothing to look up. */
  verdict: ReferenceVerdict | 'unreadable';
  format?: ReferenceFormat;
  /** The work that was found; for a conflict, that of the identifier. */
  d?: string;
  t?: string;
  /** For a conflict: the work of the title, if the index has it. */
  other?: { d: string; t: string };
  fields?: FieldComparison[];
  /** For `match_with_errors`: the reference in its own format with the right values. */
  corrected?: ReferenceValue;
  /** What journals announced about the work, the latest first; absent if nothing is known. */
  notices?: Notice[];
  /** For `match_unverified`, `not_found`, and `unreadable`: what that means. */
  reason?: string;
  /** On request: whether there is such a work. */
  assessment?: Assessment;
  /** Its place in a bibliography, the end exclusive. */
  start?: number;
  end?: number;
  /** The lane that has the work; absent if the index has it. */
  src?: LaneName;
  /** What each lane said about a reference that the index does not have. */
  lanes?: LaneAnswers;
}

/** A result with what its assessment needs; without, if the reference was not read. */
export interface VerifiedReference {
  result: ReferenceResult;
  judged?: JudgedReference;
}

/** How much a verdict says, for choosing among the readings of a printed reference. */
const ORDER: readonly ReferenceVerdict[] = [
  'match',
  'match_unverified',
  'match_with_errors',
  'conflict',
  'possible_match',
  'not_found',
];

/** A reference that was read, or the result that says why it was not. */
export type PreparedReference = ReadReference | ReferenceResult;

/**
 * Reads a reference ahead of the look-ups, which run in one view of the index. The budget is for all
 * references of a call.
 */
export async function prepareReference(
  { reference }: ReferenceItem,
  tex: TexBudget,
): Promise<PreparedReference> {
  try {
    return await readReference(reference, tex);
  } catch (error) {
    if (!(error instanceof UnreadableReference)) throw error;
    return { kind: 'reference', verdict: 'unreadable', reason: error.message };
  }
}

export async function verifyReference(
  prepared: PreparedReference,
  deps: ReferenceDeps,
): Promise<VerifiedReference> {
  if ('kind' in prepared) return { result: prepared };
  const judged = await judgeReadings(prepared, deps);
  const [best] = judged.sort((a, b) => rankOf(a) - rankOf(b) || errorsOf(a) - errorsOf(b));
  if (best === undefined) {
    const reason = 'it has neither a title nor an identifier';
    const { format } = prepared;
    return { result: { kind: 'reference', verdict: 'unreadable', format, reason } };
  }
  return { result: resultOf(prepared, best, deps), judged: best };
}

function rankOf({ judgment: { verdict } }: JudgedReference): number {
  return ORDER.indexOf(verdict);
}

function errorsOf({ judgment: { fields } }: JudgedReference): number {
  return fields.filter(({ verdict }) => verdict === 'different').length;
}

function resultOf(
  { format, write }: ReadReference,
  { cited, judgment }: JudgedReference,
  { complete }: ReferenceDeps,
): ReferenceResult {
  const { verdict, work, otherWork, fields } = judgment;
  const result: ReferenceResult = { kind: 'reference', verdict, format };
  if (work === undefined) {
    const set = completeSetOf(cited, complete);
    const lack = set === undefined ? 'may lack it' : `is said to have all of "${set.text}"`;
    const reason = `no paper of the index has its title or identifier; the index ${lack}`;
    return { ...result, reason };
  }
  const { id, title } = nameOf(work);
  Object.assign(result, { d: id, t: title });
  const other = otherWork && nameOf(otherWork);
  if (other !== undefined) result.other = { d: other.id, t: other.title };
  result.fields = fields;
  if (verdict === 'match_unverified') {
    result.reason = `no record speaks of its ${uncheckable(fields).join(' and ')}`;
  }
  if (verdict === 'match_with_errors') result.corrected = write(correctionOf(judgment));
  const notices = noticesOf(work.versions);
  if (notices.length > 0) result.notices = notices;
  return result;
}

function nameOf({ versions }: Work): { id: string; title: string } {
  const [first] = versions as [MergedDocument];
  return first.document;
}
