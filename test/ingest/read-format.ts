/** Reads contents as the builder does, without files: for the tests of formats. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEntryNormalizer } from '../../src/ingest/normalize-entries.ts';
import { headOf } from '../../src/ingest/read/head.ts';
import type { Entry, Format } from '../../src/ingest/read/packed-format.ts';
import type { ByteSource } from '../../src/ingest/read/source.ts';
import type { PaperDetails, SourceRecord } from '../../src/types.ts';

export const LIMITS = { lineBytesMax: 100_000 };

/** A source of this content, handed on in chunks of some bytes. */
export function sourceOf(content: string | Buffer, chunkBytes = 64 * 1024): ByteSource {
  const bytes = Buffer.from(content);
  return {
    path: 'file',
    bytes: bytes.length,
    bytesRead: () => 0,
    modifiedAt: 0,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        yield bytes.subarray(at, at + chunkBytes);
      }
    },
  };
}

/** All entries of a content, without what is not kept of them. */
export async function entriesOf(
  format: Format,
  content: string | Buffer,
  limits = LIMITS,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of format.entries(sourceOf(content), limits)) {
    entries.push(keptOf(entry));
  }
  return entries;
}

/** An entry without what only serves to choose it or to show it, and without the details. */
export function keptOf({ raw: _raw, ...entry }: Entry): Entry {
  if (!('document' in entry)) return entry;
  delete entry.about;
  delete entry.firstAuthor;
  const { details: _details, ...document } = entry.document;
  return { ...entry, document };
}

/** What each record says of its paper besides its citation, as it is kept. */
export async function detailsIn(
  format: Format,
  content: string | Buffer,
): Promise<(PaperDetails | undefined)[]> {
  const { normalize } = createEntryNormalizer(format, 'file');
  const all: (PaperDetails | undefined)[] = [];
  for await (const entry of format.entries(sourceOf(content), LIMITS)) {
    const normalized = normalize(entry);
    if ('record' in normalized && normalized.record.part === 'record') {
      all.push(normalized.record.details);
    }
  }
  return all;
}

/** What each record says of its paper that is not kept. */
export async function aboutIn(format: Format, content: string | Buffer): Promise<unknown[]> {
  const abouts: unknown[] = [];
  for await (const entry of format.entries(sourceOf(content), LIMITS)) {
    abouts.push('document' in entry ? entry.about : undefined);
  }
  return abouts;
}

/** Whether the format recognizes a file that starts so, or is so where it is whole. */
export function recognizes(format: Format, content: string | Buffer, isWhole = true): boolean {
  return format.recognizes(headOf(Buffer.from(content), isWhole));
}

/** A file of the folder of the formats' tests. */
export function fixture(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, 'formats', name));
}

/** A record of which only these fields are known. */
export function recordOf(fields: Partial<SourceRecord>): SourceRecord {
  return {
    id: '',
    title: '',
    abstract: '',
    year: 0,
    authors: [],
    venue: '',
    identifiers: {},
    updatedAt: 0,
    ...fields,
  };
}
