/** Titles that were edited in a table without identifiers: one paper, and never two papers in one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { build } from '../../src/ingest/build.ts';
import { readSettings } from '../../src/settings/config.ts';
import { expectSound, memoryIndex, toyVector } from '../index/memory-index.ts';
import { inputsOf, scratchFolder, writeFiles } from './index-files.ts';

const ABSTRACT =
  'Eelgrass grows faster in sheltered bays than on open shores. Storms tear it out of the sand, and ' +
  'light decides how deep it grows in clear and in turbid water.';

interface Row {
  title: string;
  abstract?: string;
  authors?: string;
}

type World = Awaited<ReturnType<typeof newWorld>>;

async function newWorld() {
  const folder = await scratchFolder();
  const db = memoryIndex();
  const embedded: string[] = [];
  const add = async (
    rows: readonly Row[],
    { name = 'refs.csv', sourceName = undefined as string | undefined, stopAfter = Infinity } = {},
  ) => {
    const lines = rows.map(({ title, abstract = ABSTRACT, authors = 'Berg, Anna; Holm, Carl' }) =>
      [title, abstract, authors, '2020'].map((cell) => `"${cell}"`).join(','),
    );
    const files = { [name]: `Title,Abstract,Authors,Year\n${lines.join('\n')}\n` };
    const paths = await writeFiles(folder, files);
    const stop = new AbortController();
    let read = 0;
    return build({
      files: inputsOf(paths),
      format: undefined,
      sourceName,
      batchesInFlightMax: 1,
      limits: { ...readSettings({}), documentsPerBatch: 1 },
      builder: createSqliteBuilder(db),
      embed: async (texts) => {
        embedded.push(...texts);
        return texts.map(toyVector);
      },
      onRecord: () => {
        if (++read > stopAfter) stop.abort();
      },
      listener: {
        fileStarted() {},
        passedOver() {},
        fileFailed() {},
        skipped() {},
        progress() {},
      },
      signal: stop.signal,
    });
  };
  const titles = () =>
    (db.prepare('SELECT title FROM documents ORDER BY title').pluck().all() as string[]).slice();
  return { add, titles, embedded, sound: () => expectSound(db) };
}

async function expectTitles(world: World, expected: string[]): Promise<void> {
  expect(world.titles()).toEqual(expected);
  world.sound();
}

describe('an edited title in a table', () => {
  it('is the same paper, of which only the title is embedded', async () => {
    const world = await newWorld();
    await world.add([{ title: 'Tides' }, { title: 'Moon', abstract: '' }]);
    world.embedded.length = 0;
    const counts = await world.add([
      { title: 'Tides of a shore' },
      { title: 'Moon', abstract: '' },
    ]);
    expect(counts).toMatchObject({ added: 0, updated: 1, unchanged: 1 });
    expect(world.embedded).toEqual(['Tides of a shore']);
    await expectTitles(world, ['Moon', 'Tides of a shore']);
  });

  it.each<[what: string, before: Row[], after: Row[], titles: string[]]>([
    [
      'both are in the file',
      [{ title: 'Tides' }],
      [{ title: 'Tides' }, { title: 'Tides of a shore' }],
      ['Tides', 'Tides of a shore'],
    ],
    [
      'both were in the file, and one is gone',
      [{ title: 'Tides' }, { title: 'Tides of a shore' }],
      [{ title: 'Tides of a shore' }],
      ['Tides', 'Tides of a shore'],
    ],
    [
      'they are parts of one work',
      [{ title: 'Tides, part I' }],
      [{ title: 'Tides, part II' }],
      ['Tides, part I', 'Tides, part II'],
    ],
    [
      'two papers are gone that it may be',
      [{ title: 'Tides' }, { title: 'Moon' }],
      [{ title: 'Sun' }],
      ['Moon', 'Sun', 'Tides'],
    ],
    [
      'it is by others',
      [{ title: 'Tides' }],
      [{ title: 'Sun', authors: 'Dahl, B' }],
      ['Sun', 'Tides'],
    ],
  ])('is another paper if %s', async (_, before, after, titles) => {
    const world = await newWorld();
    await world.add(before);
    await world.add(after);
    await expectTitles(world, titles);
  });

  it('takes the place of one paper only, though two are like it', async () => {
    const world = await newWorld();
    await world.add([{ title: 'Tides' }]);
    await world.add([{ title: 'Sun' }, { title: 'Moon' }]);
    await expectTitles(world, ['Moon', 'Sun']);
  });

  it('is not sought in other sources, but in a renamed file of the same one', async () => {
    const world = await newWorld();
    await world.add([{ title: 'Tides' }], { name: 'a.csv' });
    await world.add([{ title: 'Sun' }], { name: 'b.csv' });
    await expectTitles(world, ['Sun', 'Tides']);
    await world.add([{ title: 'Moon' }], { name: 'c.csv', sourceName: 'a.csv' });
    await expectTitles(world, ['Moon', 'Sun']);
  });

  it('makes the same papers after an interruption', async () => {
    const row = (number: number, title: string): Row => ({
      title,
      abstract: `${ABSTRACT} ${'abcdefgh'.charAt(number).repeat(3)}`.replace(/^/, `${number} `),
    });
    const numbers = [0, 1, 2, 3, 4];
    await fc.assert(
      fc.asyncProperty(fc.nat(5), fc.subarray(numbers), async (stopAfter, edited) => {
        const world = await newWorld();
        await world.add(numbers.map((number) => row(number, `Old ${'abcde'.charAt(number)}x`)));
        const after = numbers.map((number) =>
          row(number, `${edited.includes(number) ? 'New' : 'Old'} ${'abcde'.charAt(number)}x`),
        );
        await world.add(after, { stopAfter });
        await world.add(after);
        await expectTitles(world, after.map(({ title }) => title).sort());
      }),
      { numRuns: 20 },
    );
  });
});
