/** A build that fails at any moment, and goes on: in one process, with a toy model. */
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { build } from '../../src/ingest/build.ts';
import type { BuildCounts } from '../../src/ingest/build-counts.ts';
import { wholeSelection } from '../../src/ingest/selection/selection.ts';
import { createSelector, type Selector, takesAll } from '../../src/ingest/selection/selector.ts';
import { readSettings } from '../../src/settings/config.ts';
import { expectSound, memoryIndex, toyVector } from '../index/memory-index.ts';
import { documentsIn } from '../index/toy-incoming-records.ts';
import { createRandom, testSeed } from '../support/random.ts';
import { inputsOf, jsonLines, scratchFolder, writeFiles } from './index-files.ts';

const RUNS = 15;
const seed = testSeed();
const random = createRandom(seed);

/** Records without a date: of two with one id, the one that is read later wins. */
const FIRST = [...Array(30).keys()].map((n) => paper(n, 'first'));
const SECOND = [...FIRST.filter((_, n) => n % 3 === 0), ...[30, 31].map((n) => paper(n, 'first'))];
const THIRD = [...Array(12).keys()].map((n) => paper(n * 3, 'third'));
/** Of 30 works, every fourth is taken back. */
const WORKS = [...Array(30).keys()].map((n) => ({
  id: `https://openalex.org/W${n}`,
  type: 'article',
  publication_year: 2020,
  title: `Work ${n}`,
  updated_date: '2024-05-01',
  authorships: [],
  abstract_inverted_index: { It: [0], 'is.': [1] },
}));
const MERGED = WORKS.filter((_, n) => n % 4 === 0).map(({ id }) => `2024-06-01,${id.slice(21)},W1`);

function paper(n: number, version: string) {
  return { id: `p${n}`, title: `Paper ${n}`, abstract: `It is the ${version} of ${n}. It rose.` };
}

let folder: string;
let paths: string[];

beforeEach(async () => {
  folder = await scratchFolder();
  paths = await writeFiles(folder, {
    'first.jsonl': jsonLines([...FIRST.slice(0, 10), { title: 'no id' }, ...FIRST.slice(10)]),
    'second.jsonl': jsonLines(SECOND),
    'works.jsonl': jsonLines(WORKS),
    'third.jsonl': jsonLines(THIRD),
    'merged.csv': ['merge_date,id,merge_into_id', ...MERGED, ''].join('\n'),
  });
});

interface RunOptions {
  files?: readonly string[];
  /** Batches that are embedded before it fails. */
  failsAfter?: number;
  titleCharactersMax?: number;
  selector?: Selector;
}

async function run(db: Connection, options: RunOptions = {}): Promise<BuildCounts> {
  const { files = paths, failsAfter = Infinity, titleCharactersMax = 100 } = options;
  const { selector = takesAll } = options;
  let calls = 0;
  return build({
    files: inputsOf(files),
    selector,
    format: undefined,
    batchesInFlightMax: 2,
    builder: createSqliteBuilder(db),
    limits: { ...readSettings({}, {}), documentsPerBatch: 3, titleCharactersMax },
    embed: async (texts) => {
      if (++calls > failsAfter) throw new Error('the power is out');
      return texts.map(toyVector);
    },
    listener: { fileStarted() {}, passedOver() {}, fileFailed() {}, skipped() {}, progress() {} },
    signal: new AbortController().signal,
  });
}

/** Filters that leave out nothing of these records. */
function choice(): Selector {
  return createSelector({
    ...wholeSelection,
    years: { from: 2000, to: 2100, withUnknown: true },
  });
}

/** Fails after so many batches of texts. */
async function failAfter(
  db: Connection,
  failsAfter: number,
  options: RunOptions = {},
): Promise<void> {
  await expect(run(db, { ...options, failsAfter })).rejects.toThrow('the power is out');
}

/** Documents and the bytes of their vectors and terms. */
function contentOf(db: Connection): unknown {
  const rows = db
    .prepare('SELECT id, packed FROM documents JOIN signals ON document = number ORDER BY id')
    .all();
  return [documentsIn(db), rows];
}

describe('a build that failed', () => {
  it(`goes on to the same index, wherever it was, seed ${seed}`, async () => {
    const whole = memoryIndex();
    const counts = await run(whole);
    const expected = contentOf(whole);
    let resumed = 0;
    for (let each = 0; each < RUNS; each++) {
      const db = memoryIndex();
      for (let failures = 1 + random.below(3); failures > 0; failures--) {
        await run(db, { failsAfter: random.below(25) }).catch(() => {});
      }
      const last = await run(db);
      expect(last.read).toBe(counts.read);
      resumed += last.resumed;
      expect(contentOf(db)).toEqual(expected);
      expectSound(db);
    }
    expect(resumed).toBeGreaterThan(RUNS);
  });

  it('skips processed entries, including bad ones, and counts them', async () => {
    const db = memoryIndex();
    await failAfter(db, 8);
    const counts = await run(db);
    expect(counts.resumed).toBeGreaterThan(12);
    expect(counts).toMatchObject({ skipped: 0, unchanged: 10 });
  });

  it('leaves no checkpoints after a finished build', async () => {
    const db = memoryIndex();
    await failAfter(db, 8);
    await run(db);
    expect(await createSqliteBuilder(db).readCheckpoints()).toEqual([]);
    createIndexWriter(db).remove(['p1']);
    createIndexWriter(db).restore([['id:p1']]);
    expect(await run(db)).toMatchObject({ resumed: 0, skipped: 1 });
    expect(documentsIn(db).map(({ id }) => id)).toContain('p1');
  });
});

describe('a checkpoint', () => {
  const startsOver: [what: string, change: (db: Connection) => unknown, options?: RunOptions][] = [
    ['something else has changed the index', (db) => createIndexWriter(db).remove(['p1'])],
    ['a limit has changed', () => {}, { titleCharactersMax: 50 }],
    ['other records are chosen', () => {}, { selector: choice() }],
    [
      'the file has other content',
      () => writeFile(join(folder, 'first.jsonl'), jsonLines([paper(99, 'new'), ...FIRST])),
    ],
    ['the file has another time', () => utimes(join(folder, 'first.jsonl'), 1, 1)],
  ];
  it.each(startsOver)('is not used after a change: %s', async (_what, change, options = {}) => {
    const db = memoryIndex();
    await failAfter(db, 8);
    await change(db);
    expect(await run(db, options)).toMatchObject({ resumed: 0 });
  });

  it('is used with the same selection but not with a limit', async () => {
    const db = memoryIndex();
    await failAfter(db, 8, { selector: choice() });
    expect((await run(db, { selector: choice() })).resumed).toBeGreaterThan(12);
    // How many were taken is not kept, so there is no telling where the limit is.
    const limited = createSelector({ ...wholeSelection, limit: 1_000 });
    await failAfter(db, 1, { selector: limited });
    expect(await run(db, { selector: limited })).toMatchObject({ resumed: 0 });
  });

  it('is not used for files after a new one', async () => {
    const db = memoryIndex();
    const [first, second, works] = paths as [string, string, string];
    await failAfter(db, 13, { files: [first, works] });
    const counts = await run(db, { files: [first, second, works] });
    // All of the first, and its first records are found unchanged in the second.
    expect(counts).toMatchObject({ resumed: FIRST.length + 1, skipped: 0 });
    const inOneGo = memoryIndex();
    await run(inOneGo, { files: [first, second, works] });
    expect(contentOf(db)).toEqual(contentOf(inOneGo));
  });

  it('is not used after another command, so that the order of files still decides', async () => {
    const db = memoryIndex();
    const [first, , , third] = paths as [string, string, string, string];
    // The third file's records come before the first's, and after them when it is asked for again.
    await failAfter(db, 5, { files: [first] });
    await failAfter(db, 2, { files: [third, first] });
    await run(db, { files: [third, first] });
    const inOneGo = memoryIndex();
    await run(inOneGo, { files: [third, first] });
    expect(contentOf(db)).toEqual(contentOf(inOneGo));
  });
});
