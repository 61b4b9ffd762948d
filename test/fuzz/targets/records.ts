/** Files of records of every format, mutated by their structure. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatNamed } from '../../../src/ingest/formats.ts';
import { edits, encode, encoding, mutate } from '../mutate.ts';
import type { FuzzTarget } from '../run-target.ts';
import { readFile } from './check-file.ts';
import { type Fixture, readFixtures } from './fixtures.ts';

/** Stands in the texts of undamaged records, and in no others. */
const MARK = 'undamaged';

export const records: FuzzTarget = {
  name: 'records',
  async open(folder) {
    const path = join(folder, 'records');
    const read = (content: Buffer, format: string | undefined) => {
      writeFileSync(path, content);
      return readFile(path, format === undefined ? undefined : formatNamed(format));
    };
    const countMarked = ({ texts }: { texts: readonly string[] }): number =>
      texts.filter((text) => text.includes(MARK)).length;
    const fixtures: Neighbored[] = [];
    for (const fixture of readFixtures()) {
      const neighbors = fixture.hasLines ? markRecords(fixture.text) : '';
      const texts = countMarked(await read(Buffer.from(neighbors), fixture.format));
      assert.equal(texts > 0, fixture.hasLines, `no text of ${fixture.file} has the mark`);
      fixtures.push({ ...fixture, neighbors, texts });
    }
    const property = fc.asyncProperty(
      fc.nat(fixtures.length - 1),
      edits,
      encoding,
      fc.boolean(),
      fc.constantFrom(0, 1, 2),
      async (index, given, name, isNamed, before) => {
        const { format, family, text, neighbors, texts } = fixtures[index] as Neighbored;
        const mutated = mutate(text, family, given);
        const content = neighbors.repeat(before) + mutated + (texts > 0 ? `\n${neighbors}` : '');
        const reading = await read(encode(content, name), isNamed ? format : undefined);
        // Latin letters are not UTF-8, and a record that has some is skipped.
        if (name === 'latin1') return;
        assert.equal(countMarked(reading), texts * (before + 1), 'damage hid other records');
      },
    );
    return { property };
  },
};

interface Neighbored extends Fixture {
  /** Undamaged records in lines of their own, in formats of lines. */
  neighbors: string;
  /** The number of texts in them. */
  texts: number;
}

/** The JSON records of a file with the mark in all values of several words. */
function markRecords(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      try {
        return [`${JSON.stringify(mark(JSON.parse(line)))}\n`];
      } catch {
        // A line that the fixture has damaged already.
        return [];
      }
    })
    .join('');
}

function mark(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(' ', ` ${MARK} `);
  if (Array.isArray(value)) return value.map(mark);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mark(inner)]));
}
