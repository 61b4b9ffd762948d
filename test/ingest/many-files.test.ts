/** Thousands of files of one record each cost what one file of all these records costs. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { type BuildListener, build } from '../../src/ingest/build.ts';
import type { BuildCounts } from '../../src/ingest/build-counts.ts';
import { readSettings } from '../../src/settings/config.ts';
import { expectSound, memoryIndex, toyVector } from '../index/memory-index.ts';
import { countExecuted, type Executed } from '../support/executed.ts';
import { inputsOf, jsonLines, scratchFolder, writeFiles } from './index-files.ts';

const PAPERS = [...Array(60).keys()].map((n) => ({ id: `p${n}`, title: `Paper ${n} of many` }));
const ONE_FILE = { 'all.jsonl': jsonLines(PAPERS) };
const MANY_FILES = Object.fromEntries(PAPERS.map((one) => [`${one.id}.jsonl`, jsonLines([one])]));

let executed: Executed;

// How far a build has come is also noted when some seconds have passed; here none do.
beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  executed = countExecuted();
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Cost extends Executed {
  counts: BuildCounts;
}

async function add(
  db: Connection,
  files: readonly string[],
  { signal = new AbortController().signal, fileStarted = () => {} }: Options = {},
): Promise<Cost> {
  const before = { ...executed };
  const counts = await build({
    files: inputsOf(files),
    format: undefined,
    batchesInFlightMax: 2,
    signal,
    builder: createSqliteBuilder(db),
    limits: { ...readSettings({}, {}), documentsPerBatch: 20 },
    embed: async (texts) => texts.map(toyVector),
    listener: { fileStarted, passedOver() {}, fileFailed() {}, skipped() {}, progress() {} },
  });
  return {
    counts,
    statements: executed.statements - before.statements,
    transactions: executed.transactions - before.transactions,
  };
}

interface Options {
  signal?: AbortSignal;
  fileStarted?: BuildListener['fileStarted'];
}

describe('many files of one record', () => {
  it('take as many transactions as one file with the same records', async () => {
    const folder = await scratchFolder();
    const [one, many] = [memoryIndex(), memoryIndex()];
    const inOne = await add(one, await writeFiles(folder, ONE_FILE));
    const inMany = await add(many, await writeFiles(folder, MANY_FILES));
    expect(inMany.counts).toMatchObject({ read: 60, added: 60 });
    expect(inMany.transactions).toBe(inOne.transactions);
    expect(filesIn(many)).toBe(60);
    expectSound(many);
  });

  it('take as many statements, none of which writes, when nothing has changed', async () => {
    const folder = await scratchFolder();
    const [one, many] = [memoryIndex(), memoryIndex()];
    const [oneFile, manyFiles] = [
      await writeFiles(folder, ONE_FILE),
      await writeFiles(folder, MANY_FILES),
    ];
    await add(one, oneFile);
    await add(many, manyFiles);
    const changes = many.prepare('SELECT total_changes()').pluck();
    const before = changes.get();
    const inOne = await add(one, oneFile);
    const inMany = await add(many, manyFiles);
    expect(inMany.counts).toMatchObject({ read: 60, unchanged: 60 });
    expect(inMany).toMatchObject({
      statements: inOne.statements,
      transactions: inOne.transactions,
    });
    expect(changes.get()).toBe(before);
  });

  it('leave room for Ctrl-C between two of them', async () => {
    const files = await writeFiles(await scratchFolder(), MANY_FILES);
    const db = memoryIndex();
    await add(db, files);
    const controller = new AbortController();
    const fileStarted = (): void => {
      setImmediate(() => controller.abort());
    };
    const { counts } = await add(db, files, { signal: controller.signal, fileStarted });
    expect(counts.read).toBeLessThan(10);
    const rest = await add(db, files);
    expect(rest.counts).toMatchObject({ read: 60, resumed: counts.read });
  });
});

function filesIn(db: Connection): unknown {
  return db.prepare('SELECT count(*) FROM source_files').pluck().get();
}
