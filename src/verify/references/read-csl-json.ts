/** References in CSL-JSON: one item as an object. */
import { cslJsonFormat } from '../../ingest/formats/csl-json.ts';
import { isObject } from '../../ingest/json/fields.ts';
import { cslName } from '../../search/papers/write-csl-json.ts';
import type { Correction, ReadReference } from './reference.ts';
import { readOneRecord } from './text-source.ts';

type Item = Record<string, unknown>;

/** Throws UnreadableReference for an item that cannot be read. */
export async function readCslReference(item: Item): Promise<ReadReference> {
  const { author } = item;
  const people = Array.isArray(author) ? author : [];
  const named = people.filter((person) => !isOthers(person));
  const record = await readOneRecord(cslJsonFormat, JSON.stringify({ ...item, author: named }));
  const { title, authors, year, venue, identifiers } = record;
  const hasMoreAuthors = named.length < people.length;
  return {
    format: 'csl-json',
    readings: [{ title, authors, hasMoreAuthors, year, venue, identifiers }],
    write: (correction) => corrected(item, correction),
  };
}

function isOthers(person: unknown): boolean {
  if (!isObject(person)) return false;
  const name = person['literal'] ?? person['family'];
  return typeof name === 'string' && /^(?:et al\.?|others)$/i.test(name.trim());
}

function corrected(item: Item, { title, authors, year, venue, identifiers }: Correction): Item {
  const changed: Item = { ...item };
  if (title !== undefined) changed['title'] = title;
  if (authors !== undefined) changed['author'] = authors.map(cslName);
  if (year !== undefined) changed['issued'] = { 'date-parts': [[year]] };
  if (venue !== undefined) changed['container-title'] = venue;
  if (identifiers?.doi !== undefined) changed['DOI'] = identifiers.doi;
  return changed;
}
