/** What is exported makes the same documents again. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identifiersOf } from '../../src/identity/identifiers.ts';
import type { KeptRecord } from '../../src/identity/kept-record.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { exportRecords } from '../../src/index/documents/sources-of-documents.ts';
import { verbatimFormat, verbatimLine } from '../../src/ingest/formats/verbatim.ts';
import { readSettings } from '../../src/settings/config.ts';
import { anyRecord } from '../identity/any-record.ts';
import { recordOf } from '../identity/records.ts';
import { expectSound, memoryIndex } from '../index/memory-index.ts';
import { arrive, documentsIn } from '../index/toy-incoming-records.ts';

/** As readers hand texts on: whole characters, and no NUL. */
const text = fc
  .string({ unit: 'binary', maxLength: 30 })
  .map((any) => any.replaceAll('\0', ' ').toWellFormed());
const name = text.map((any) => any.trim()).filter((any) => any !== '');

/** Readers find the arXiv id in a DOI, and both in an id. */
const normalRecord = anyRecord.map((record) => {
  const { id: doi, id: arxiv, identifiers } = record;
  return {
    ...record,
    identifiers: { ...identifiersOf({ doi, arxiv }), ...identifiersOf(identifiers) },
  };
});

const oddRecord: fc.Arbitrary<KeptRecord> = fc
  .record({
    id: name,
    title: fc.oneof(text, fc.constant('Tides')),
    abstract: fc.oneof(text, fc.constant('It rose.\r\n“It fell,” he said.')),
    year: fc.integer({ min: 0, max: 9999 }),
    authors: fc.array(name, { maxLength: 3 }),
    venue: text,
    updatedAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 ** 42 })),
  })
  .filter(({ title, abstract }) => `${title}${abstract}`.trim() !== '')
  .map(recordOf);

it('an export, added to an empty index, makes identical documents', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(normalRecord, oddRecord), { maxLength: 12 }),
      async (records) => {
        const [from, to] = [memoryIndex(), memoryIndex()];
        const writer = createIndexWriter(from);
        for (const record of records) arrive(writer, record);
        const lines = [...exportRecords(from)].map(verbatimLine);
        const importer = createIndexWriter(to);
        for (const record of await recordsOf(lines)) arrive(importer, record);
        expect(documentsIn(to)).toEqual(documentsIn(from));
        expectSound(to);
        expect([...exportRecords(to)].map(verbatimLine).sort()).toEqual(lines.sort());
      },
    ),
    { numRuns: 60 },
  );
});

/** The lines as the format reads them from a file. */
async function recordsOf(lines: readonly string[]): Promise<KeptRecord[]> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const source = {
    path: 'export.jsonl',
    bytes: bytes.length,
    bytesRead: () => bytes.length,
    modifiedAt: 0,
    async *chunks() {
      yield bytes;
    },
  };
  const records: KeptRecord[] = [];
  for await (const entry of verbatimFormat.entries(source, readSettings({}, {}))) {
    if (!('document' in entry)) throw new Error(JSON.stringify(entry));
    records.push({ ...entry.document, source: '', part: 'record' });
  }
  return records;
}
