/**
 * A record as the index keeps it: what a source says of a paper, and which source that is. A paper
 * is made of all the records that are about it.
 */
import { hash } from 'node:crypto';
import type { SourceDocument, SourceRecord } from '../types.ts';
import { type Scheme, schemes } from './identifiers.ts';

/** Sources that name their papers in the scheme of another, or in none; these go by their ids. */
type OtherSource = 's2orc' | 'europepmc' | 'oai-dc' | 'dblp' | 'doaj';

/**
 * A source by the scheme in which it names its papers, so that its formats share it; others that
 * name them in the scheme of another, or in none; '' for sources without a scheme of their own,
 * whose records go by their ids; a table or personal bibliography by its name, as its ids mean
 * nothing elsewhere.
 */
export type Source = Scheme | OtherSource | '' | `${typeof PERSONAL}${string}`;

const PERSONAL = 'personal ';

/** The source that a table or a personal bibliography of this name is. */
export function personalSource(name: string): Source {
  return `${PERSONAL}${name}`;
}

/** Whether a person put the records together: they are no evidence that two papers are two. */
export function isPersonal({ source }: Pick<KeptRecord, 'source'>): boolean {
  return source.startsWith(PERSONAL);
}

export interface KeptRecord extends SourceRecord {
  source: Source;
  /** `abstract`: a supplement, an abstract alone that is about the paper of its identifiers. */
  part: 'record' | 'abstract';
}

/** The fields that a document has of its records. */
export const documentFields = ['id', 'title', 'abstract', 'year', 'authors', 'venue'] as const;

export type DocumentField = (typeof documentFields)[number];

/** Tells one content of a record from another; covers all that is kept of it. */
export function recordHash(record: KeptRecord): Buffer {
  const { source, part, identifiers, withheld, updatedAt } = record;
  const known = schemes.map((scheme) => identifiers[scheme] ?? 0);
  const text = JSON.stringify([
    ...[source, part, known, withheld ?? 0, updatedAt],
    fieldsOf(record),
  ]);
  return hashOf(text);
}

/** Tells one content of a document from another; covers every field that is stored. */
export function contentHash(document: SourceDocument): Buffer {
  return hashOf(JSON.stringify(fieldsOf(document)));
}

function fieldsOf(document: SourceDocument): unknown[] {
  const { id, title, abstract, year, authors, venue } = document;
  return [id, title, abstract, year, authors, venue];
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}
