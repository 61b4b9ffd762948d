/** References in BibTeX. */
import { VerbatimError } from '../../errors.ts';
import { bibtexFormat } from '../../ingest/formats/bibtex.ts';
import { readBibtexEntries } from '../../ingest/plain-text/bibtex-entries.ts';
import {
  type BibtexEntry,
  escapeTex,
  verbatimTex,
  writeBibtex,
} from '../../search/papers/write-bibtex.ts';
import type { SourceRecord } from '../../types.ts';
import { type Correction, type ReadReference, UnreadableReference } from './reference.ts';
import { assertNotSeveral, LINE_BYTES_MAX, readOneRecord, textSource } from './text-source.ts';

/** Throws UnreadableReference for a text that is not one entry. */
export async function readBibtexReference(text: string): Promise<ReadReference> {
  try {
    const entries = await entriesIn(text);
    // Before they inherit from each other.
    assertNotSeveral(entries);
    const { title, authors, year, venue, identifiers } = await readRecord(text);
    const [entry] = entries;
    if (entry === undefined) throw new UnreadableReference('there is no entry in it');
    const hasMoreAuthors = /\band\s+others\b|\bet\s+al\b/i.test(entry.fields.get('author') ?? '');
    const named = authors.filter((name) => !/^et al\.?$/i.test(name));
    return {
      format: 'bibtex',
      readings: [{ title, authors: named, hasMoreAuthors, year, venue, identifiers }],
      write: (correction) => writeBibtex({ ...entry, fields: corrected(entry, correction) }),
    };
  } catch (error) {
    if (!(error instanceof VerbatimError)) throw error;
    throw new UnreadableReference(error.message);
  }
}

function readRecord(text: string): Promise<SourceRecord> {
  return readOneRecord(bibtexFormat, text);
}

async function entriesIn(text: string): Promise<BibtexEntry[]> {
  const options = { path: 'the reference', lineBytesMax: LINE_BYTES_MAX };
  const entries: BibtexEntry[] = [];
  for await (const entry of readBibtexEntries(textSource(text).chunks(), options)) {
    if ('fields' in entry) entries.push(entry);
  }
  return entries;
}

function corrected({ type, fields }: BibtexEntry, correction: Correction): Map<string, string> {
  const changed = new Map(fields);
  const nameOf = (names: readonly string[], otherwise: string): string =>
    names.find((name) => fields.has(name)) ?? otherwise;
  const { title, authors, year, venue, identifiers } = correction;
  if (title !== undefined) {
    changed.set('title', escapeTex(title));
    changed.delete('subtitle');
  }
  if (authors !== undefined) changed.set('author', authors.map(escapeTex).join(' and '));
  if (year !== undefined) changed.set(nameOf(['year', 'date'], 'year'), String(year));
  if (venue !== undefined) {
    const usual = type === 'article' ? 'journal' : 'booktitle';
    changed.set(nameOf(['journal', 'journaltitle', 'booktitle'], usual), escapeTex(venue));
  }
  if (identifiers?.doi !== undefined) changed.set('doi', verbatimTex(identifiers.doi));
  return changed;
}
