/** Reads one entry of a text by a bulk format. */
import type { Format } from '../../ingest/read/packed-format.ts';
import type { ByteSource } from '../../ingest/read/source.ts';
import type { SourceRecord } from '../../types.ts';
import { UnreadableReference } from './reference.ts';

/** Longer lines are no line of a reference. */
export const LINE_BYTES_MAX = 100_000;

/** The text as a file of a bulk format. */
export function textSource(text: string): ByteSource {
  const bytes = Buffer.from(text);
  return {
    path: 'the reference',
    bytes: bytes.length,
    modifiedAt: 0,
    bytesRead: () => bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
}

/** The only record in a text. Throws UnreadableReference if there is none, or more than one. */
export async function readOneRecord(format: Format, text: string): Promise<SourceRecord> {
  const records: SourceRecord[] = [];
  for await (const entry of format.entries(textSource(text), { lineBytesMax: LINE_BYTES_MAX })) {
    if ('problem' in entry) throw new UnreadableReference(entry.problem);
    if ('document' in entry) records.push(entry.document);
  }
  const [record] = records;
  if (record === undefined) throw new UnreadableReference('there is no entry in it');
  assertNotSeveral(records);
  return record;
}

/** Throws UnreadableReference if there is more than one. */
export function assertNotSeveral({ length }: readonly unknown[]): void {
  if (length <= 1) return;
  throw new UnreadableReference(`there are ${length} entries in it; send one an item`);
}
