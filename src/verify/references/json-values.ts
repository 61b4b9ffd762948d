/** References as plain fields: `title`, `authors`, `year`, `venue`, and identifiers by scheme. */
import { identifiersOf, schemes } from '../../identity/identifiers.ts';
import { type Correction, type ReadReference, UnreadableReference } from './reference.ts';

type Fields = Record<string, unknown>;

const OTHERS = /^(?:et al\.?|others)$/i;

/** Throws UnreadableReference for wrong types. */
export function readJsonReference(fields: Fields): ReadReference {
  const authors = readAuthors(fields['authors']);
  const named = authors.filter((name) => !OTHERS.test(name));
  const written = Object.fromEntries(schemes.map((scheme) => [scheme, fields[scheme]]));
  return {
    format: 'json',
    readings: [
      {
        title: readText(fields, 'title'),
        authors: named,
        hasMoreAuthors: named.length < authors.length,
        year: readYear(fields['year']),
        venue: readText(fields, 'venue'),
        identifiers: identifiersOf(written),
      },
    ],
    write: (correction) => corrected(fields, correction),
  };
}

function readText(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined) return '';
  if (typeof value === 'string') return value.toWellFormed().trim();
  throw new UnreadableReference(`${name} must be a string`);
}

function readAuthors(value: unknown): string[] {
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.every((name) => typeof name === 'string');
  if (!isList) throw new UnreadableReference('authors must be an array of names');
  return (value as string[])
    .map((name) => name.toWellFormed().trim())
    .filter((name) => name !== '');
}

function readYear(value: unknown): number {
  if (value === undefined) return 0;
  const year = typeof value === 'string' && /^\d{4}$/.test(value.trim()) ? Number(value) : value;
  if (typeof year === 'number' && Number.isInteger(year) && year >= 0 && year <= 9999) return year;
  throw new UnreadableReference('year must be a whole number from 0 to 9999');
}

function corrected(
  fields: Fields,
  { title, authors, year, venue, identifiers }: Correction,
): Fields {
  const changed: Fields = { ...fields };
  if (title !== undefined) changed['title'] = title;
  if (authors !== undefined) changed['authors'] = authors;
  if (year !== undefined) changed['year'] = year;
  if (venue !== undefined) changed['venue'] = venue;
  if (identifiers?.doi !== undefined) changed['doi'] = identifiers.doi;
  return changed;
}
