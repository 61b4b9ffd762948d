/**
 * A record as the index keeps it: what one source says about a paper. A document is merged from all
 * records of a paper.
 */
import type { Identifiers, SourceRecord } from '../types.ts';
import type { Scheme } from './identifiers.ts';

/** Sources that name their papers in another source's scheme or in none. Their own ids name them. */
type OtherSource =
  | ('s2orc' | 'europepmc' | 'oai-dc' | 'dblp' | 'doaj' | 'eric')
  | ('retraction-watch' | 'opencitations');

/**
 * The source of a record:
 *
 * - the scheme in which it names its papers, which all its formats share
 * - the name of a source in `OtherSource`
 * - '' for formats without a scheme of their own, whose records are named by their ids
 * - a table or personal bibliography by its name, because its ids mean nothing elsewhere
 */
export type Source = Scheme | OtherSource | '' | `${typeof PERSONAL}${string}`;

const PERSONAL = 'personal ';

/** The source for a table or a personal bibliography of this name. */
export function personalSource(name: string): Source {
  return `${PERSONAL}${name}`;
}

/** Whether a record comes from a table or a personal bibliography. */
export function isPersonal({ source }: Pick<KeptRecord, 'source'>): boolean {
  return source.startsWith(PERSONAL);
}

export interface KeptRecord extends SourceRecord {
  source: Source;
  /**
   * `abstract`, `notice`, and `references` are supplements, linked by their identifiers: an abstract
   * without a paper, what a journal announced about one, and what one cites. `merged` belongs to no
   * paper: it says that the source merged its record of these identifiers into another, and keeps that
   * record out. `removed` is what is left of a record that `index remove` took out, and keeps the paper
   * out.
   */
  part: 'record' | 'abstract' | 'notice' | 'references' | 'merged' | 'removed';
}

/** What is left of a removed record: enough to recognize its paper, and nothing that could be quoted. */
export function removedRecord(record: KeptRecord): KeptRecord {
  const { source, id, title, year, authors, venue, identifiers } = record;
  const known = { source, id, title, year, venue, identifiers, authors: authors.slice(0, 1) };
  return { ...known, abstract: '', part: 'removed', updatedAt: 0 };
}

/** The record that says that a source merged one of its records into another. */
export function mergedRecord(source: Source, identifiers: Identifiers): KeptRecord {
  const fields = { id: '', title: '', abstract: '', year: 0, authors: [], venue: '' };
  return { ...fields, source, part: 'merged', identifiers, updatedAt: 0 };
}

/** The fields that a document takes from its records. */
export const documentFields = ['id', 'title', 'abstract', 'year', 'authors', 'venue'] as const;

export type DocumentField = (typeof documentFields)[number];
