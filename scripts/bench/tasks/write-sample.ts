/** Writes documents of the index for `index add`. */
import { writeFileSync } from 'node:fs';
import { prepareDocument } from '../../../src/ingest/prepare.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { withIndex } from '../../measure/databases.ts';
import { task } from '../../measure/processes.ts';
import { createRandom, shuffle } from '../../measure/random.ts';

type SampleInput = Record<'database' | 'path' | 'batchesPath', string> &
  Record<'count' | 'seed', number>;

/**
 * Writes drawn documents of the index, and in a second file the texts that a build embeds, in the
 * same batches.
 */
export const writeSample = task(
  'writeSample',
  ({ database, path, batchesPath, count, seed }: SampleInput): Promise<void> =>
    withIndex(database, ({ numbers, reader }) => {
      const documents = shuffle(numbers, createRandom(`sample ${seed}`))
        .slice(0, count)
        .map((number) => {
          const { id, title, abstract, year, authors, venue } = reader.readUnchecked(number);
          return { id, title, abstract, year, authors, venue };
        });
      writeFileSync(path, documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const { documentsPerBatch } = readSettings();
      const batches: string[][] = [];
      for (let start = 0; start < documents.length; start += documentsPerBatch) {
        const batch = documents.slice(start, start + documentsPerBatch);
        batches.push(batch.flatMap((source) => prepareDocument(source).texts));
      }
      writeFileSync(batchesPath, JSON.stringify(batches));
    }),
);
