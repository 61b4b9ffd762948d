/** Verifies a reference against the index. */
import type { MergedDocument } from '../../identity/merge-records.ts';
import { noticesOf } from '../../identity/notices.ts';
import type { DocumentNumber, Identifiers, Notice } from '../../types.ts';
import type { Assessment, JudgedReference } from './assess-references.ts';
import type { FieldComparison } from './compare-fields.ts';
import { type CompleteSet, completeSetOf } from './coverage.ts';
import {
  correctionOf,
  judgeReference,
  type ReferenceVerdict,
  uncheckable,
} from './judge-reference.ts';
import { readReference } from './read-reference.ts';
import {
  type ReadReference,
  type Reference,
  type ReferenceFormat,
  UnreadableReference,
} from './reference.ts';
import { groupVersions, type Work } from './work.ts';

export type ReferenceValue = string | Record<string, unknown>;

export interface ReferenceItem {
  /** BibTeX, RIS, CSL-JSON, plain fields, or a string as printed. */
  reference: ReferenceValue;
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
}

/** A result with what its assessment needs; without, if the reference was not read. */
export interface VerifiedReference {
  result: ReferenceResult;
  judged?: JudgedReference;
}

export interface ReferenceDeps {
  /** What the index has completely. */
  complete: readonly CompleteSet[];
  ofDocuments: (documents: readonly DocumentNumber[]) => Promise<MergedDocument[]>;
  /** Documents with similar titles. */
  byTitle: (title: string) => Promise<DocumentNumber[]>;
  byIdentifiers: (identifiers: Identifiers) => Promise<DocumentNumber[]>;
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

/** Reads a reference ahead of the look-ups, which run in one view of the index. */
export async function prepareReference({ reference }: ReferenceItem): Promise<PreparedReference> {
  try {
    return await readReference(reference);
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
  const judged: JudgedReference[] = [];
  for (const reading of prepared.readings) {
    const { title, identifiers } = reading;
    if (title === '' && Object.keys(identifiers).length === 0) continue;
    const judgment = judgeReference(reading, await worksFor(reading, deps));
    judged.push({ cited: reading, judgment });
  }
  const [best] = judged.sort((a, b) => rankOf(a) - rankOf(b) || errorsOf(a) - errorsOf(b));
  if (best === undefined) {
    const reason = 'it has neither a title nor an identifier';
    const { format } = prepared;
    return { result: { kind: 'reference', verdict: 'unreadable', format, reason } };
  }
  return { result: resultOf(prepared, best, deps), judged: best };
}

async function worksFor({ title, identifiers }: Reference, deps: ReferenceDeps): Promise<Work[]> {
  const numbers = new Set([
    ...(await deps.byIdentifiers(identifiers)),
    ...(title === '' ? [] : await deps.byTitle(title)),
  ]);
  return groupVersions(await deps.ofDocuments([...numbers]));
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
