/** Writes files of documents for `index add`: documents of the index, or synthetic ones. */
import { writeFileSync } from 'node:fs';
import type { StoredDocument } from '../../../src/index/documents/stored-document.ts';
import { prepareDocument } from '../../../src/ingest/prepare.ts';
import { readSettings } from '../../../src/settings/config.ts';
import type { SourceDocument } from '../../../src/types.ts';
import { type IndexAccess, withIndex } from '../../measure/databases.ts';
import { task } from '../../measure/processes.ts';
import { createRandom, type Random, shuffle } from '../../measure/random.ts';
import { mixTitles, swapSome } from '../synthetic.ts';

interface WriteInput {
  database: string;
  path: string;
  count: number;
  seed: number;
}

/**
 * Writes drawn documents of the index, and in a second file the texts that a build embeds, in the
 * same batches.
 */
export const writeSample = task(
  'writeSample',
  ({ database, path, batchesPath, count, seed }: WriteInput & { batchesPath: string }) =>
    withIndex(database, ({ numbers, reader }) => {
      const documents = shuffle(numbers, createRandom(`sample ${seed}`))
        .slice(0, count)
        .map((number) => toSource(reader.readUnchecked(number)));
      writeLines(path, documents);
      const { documentsPerBatch } = readSettings();
      const batches: string[][] = [];
      for (let start = 0; start < documents.length; start += documentsPerBatch) {
        const batch = documents.slice(start, start + documentsPerBatch);
        batches.push(batch.flatMap((source) => prepareDocument(source).texts));
      }
      writeFileSync(batchesPath, JSON.stringify(batches));
    }),
);

/** Writes documents that are not in the index, made from documents that are. */
export const writeSynthetic = task(
  'writeSynthetic',
  ({ database, path, count, seed }: WriteInput): Promise<void> =>
    withIndex(database, (index) => {
      const random = createRandom(`added ${seed}`);
      writeLines(
        path,
        Array.from({ length: count }, (_, at) => synthesize(at, index, random)),
      );
    }),
);

function synthesize(at: number, { numbers, reader }: IndexAccess, random: Random): SourceDocument {
  const [own, other] = [0, 1].map(() =>
    reader.readUnchecked(numbers[random.below(numbers.length)] as number),
  ) as [StoredDocument, StoredDocument];
  return {
    ...toSource(own),
    id: `bench-added:${at}`,
    title: mixTitles(own.title, other.title),
    abstract: swapSome(sentencesOf(own), sentencesOf(other), random).join(' '),
  };
}

function sentencesOf({ abstract, spans }: StoredDocument): string[] {
  return spans.map(({ start, end }) => abstract.slice(start, end));
}

function toSource({ id, title, abstract, year, authors, venue }: StoredDocument): SourceDocument {
  return { id, title, abstract, year, authors, venue };
}

function writeLines(path: string, documents: readonly SourceDocument[]): void {
  writeFileSync(path, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
}
