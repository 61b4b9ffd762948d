/**
 * What Crossref's metadata say about updates of papers: `update-to` in the record of a notice, and
 * `updated-by` in that of the paper (https://www.crossref.org/documentation/crossmark). Pure.
 */
import type { Notice } from '../types.ts';
import { normalizeDoi } from './identifiers.ts';
import type { Withheld } from './withheld.ts';

/** Types of updates. Others, such as a new version, say nothing against a paper. */
const kindOfUpdate: ReadonlyMap<string, Notice['kind']> = new Map([
  ['retraction', 'retraction'],
  ['withdrawal', 'withdrawal'],
  ['removal', 'withdrawal'],
  ['expression_of_concern', 'expression_of_concern'],
  ['correction', 'correction'],
  ['corrigendum', 'correction'],
  ['erratum', 'correction'],
  ['partial_retraction', 'correction'],
]);

export interface CrossrefUpdate {
  /** The DOI of the other side: of the paper in `update-to`, of the notice in `updated-by`. */
  doi: string;
  kind: Notice['kind'];
  /** As in a notice. */
  date: string;
  /** Set if the update takes the paper back. */
  withheld: Withheld | undefined;
}

/** Reads one update. Returns undefined for types that say nothing against the paper. */
export function readCrossrefUpdate(
  update: Readonly<Record<string, unknown>>,
): CrossrefUpdate | undefined {
  const { type, DOI: doi, updated } = update;
  if (typeof type !== 'string') return undefined;
  const kind = kindOfUpdate.get(type.toLowerCase().replace(/[\s-]/g, '_'));
  if (kind === undefined) return undefined;
  return {
    doi: typeof doi === 'string' ? normalizeDoi(doi) : '',
    kind,
    date: dateOf(updated),
    withheld: withheldByNotice(kind),
  };
}

/** Why a notice of this kind withholds its paper, or undefined. */
function withheldByNotice(kind: Notice['kind']): Withheld | undefined {
  if (kind === 'retraction') return 'retracted';
  return kind === 'withdrawal' ? 'withdrawn' : undefined;
}

/** `{"date-parts": [[2020, 1, 23]]}` as 2020-01-23, with the parts that are there; '' for none. */
function dateOf(date: unknown): string {
  const parts = (date as { 'date-parts'?: unknown } | null | undefined)?.['date-parts'];
  const [first] = Array.isArray(parts) ? parts : [];
  const [year, ...others] = Array.isArray(first) ? first : [];
  if (!isWithin(year, 1_000, 9_999)) return '';
  const [month, day] = others;
  if (!isWithin(month, 1, 12)) return String(year);
  const known = isWithin(day, 1, 31) ? [month, day] : [month];
  return [year, ...known.map((part) => String(part).padStart(2, '0'))].join('-');
}

function isWithin(part: unknown, least: number, most: number): part is number {
  return Number.isInteger(part) && (part as number) >= least && (part as number) <= most;
}
