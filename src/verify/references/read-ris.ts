/** References in RIS. */
import { RIS_TAG, risFormat } from '../../ingest/formats/ris.ts';
import { readTaggedRecords } from '../../ingest/plain-text/tagged-records.ts';
import { type RisFields, risName, writeRis } from '../../search/papers/write-ris.ts';
import { type Correction, type ReadReference, UnreadableReference } from './reference.ts';
import { LINE_BYTES_MAX, readOneRecord, textSource } from './text-source.ts';

/** Throws UnreadableReference for a text that is not one record. */
export async function readRisReference(text: string): Promise<ReadReference> {
  const { title, authors, year, venue, identifiers } = await readOneRecord(risFormat, text);
  const isOthers = (name: string): boolean => /^(?:et al\.?|others)$/i.test(name);
  const named = authors.filter((name) => !isOthers(name));
  const hasMoreAuthors = named.length < authors.length;
  const fields = await fieldsIn(text);
  return {
    format: 'ris',
    readings: [{ title, authors: named, hasMoreAuthors, year, venue, identifiers }],
    write: (correction) => writeRis(corrected(fields, correction)),
  };
}

async function fieldsIn(text: string): Promise<RisFields> {
  const options = { tag: RIS_TAG, first: 'TY', last: 'ER', lineBytesMax: LINE_BYTES_MAX };
  for await (const record of readTaggedRecords(textSource(text).chunks(), options)) {
    if ('fields' in record) return new Map(record.fields);
  }
  throw new UnreadableReference('there is no record in it');
}

function corrected(fields: RisFields, correction: Correction): RisFields {
  const changed = new Map(fields);
  const set = (tags: readonly string[], values: readonly string[]): void => {
    const [first = ''] = tags;
    changed.set(tags.find((tag) => fields.has(tag)) ?? first, values);
  };
  const { title, authors, year, venue, identifiers } = correction;
  if (title !== undefined) set(['TI', 'T1', 'CT'], [title]);
  if (authors !== undefined) set(['AU', 'A1'], authors.map(risName));
  if (year !== undefined) set(['PY', 'Y1', 'DA'], [String(year)]);
  if (venue !== undefined) set(['JO', 'JF', 'T2', 'JA', 'BT'], [venue]);
  if (identifiers?.doi !== undefined) set(['DO'], [identifiers.doi]);
  return changed;
}
