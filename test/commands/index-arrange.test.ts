/** `verbatim index add` arranges the cells of an index that has grown, and can be stopped at it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundlePath } from '../../src/bundle.ts';
import { loadModel } from '../../src/embed/model.ts';
import { normalize } from '../../src/embed/pool-tokens.ts';
import { prepareDocument, withVectors } from '../../src/ingest/prepare.ts';
import { claimModel, readTotals } from '../../src/store/index-facts.ts';
import { createIndexWriter } from '../../src/store/index-writer.ts';
import { openStore, type Store } from '../../src/store/open.ts';
import { verifyIndex } from '../../src/store/verify.ts';
import { addFiles, jsonLines, writeFiles } from '../ingest/index-files.ts';
import { documentOf } from '../store/memory-index.ts';
import { createRandom } from '../support/random.ts';

/** Some four dozen cells, which takes many transactions to arrange. */
const DOCUMENTS = 6000;
/** A build waits for the lock of this test for longer than it is held. */
const PATIENT = { VERBATIM_LOCK_WAIT_MS: '60000', VERBATIM_EMBED_THREADS: '1' };
/** The progress of a terminal, whose lines come soonest. */
const AS_TERMINAL = 'data:text/javascript,process.stderr.isTTY = true;';
/** Longer than the pause between two lines of progress on a terminal. */
const HELD_MS = 400;
/** The lock must be taken between the last document and the end of the arranging: it may come too late. */
const TRIES = 10;

describe('arranging the index', () => {
  let db: Store;
  let database: string;
  let paths: string[];
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'verbatim-arrange-'));
    database = join(folder, 'index.db');
    paths = await writeFiles(folder, {
      'one.jsonl': jsonLines([{ id: 'one', title: 'Tides', abstract: 'It rose. It fell.' }]),
    });
    db = openStore({ path: database, lockWaitMs: 5000 });
    fill(db);
    return async () => {
      db.close();
      await rm(folder, { recursive: true });
    };
  });

  it('is stopped by Ctrl-C in a sound state, and done by the next build', async () => {
    let stopped: Build | undefined;
    for (let tries = 0; tries < TRIES && stopped === undefined; tries++) {
      createIndexWriter(db).remove(['one']);
      db.exec("UPDATE index_facts SET value = 0 WHERE name = 'arranged'");
      const build = await interruptArranging({ db, database, paths });
      if (build.code === 130 && arranged(db) === 0) stopped = build;
    }
    expect(stopped?.stderr).toMatch(/arranging the index {2}\d+ %/);
    expect(stopped?.stderr).not.toContain('100 %');
    expect(stopped?.stderr).toContain('verbatim: interrupted; the same command goes on from here');
    expect(stopped?.stdout).toMatch(/^1 added, 0 updated, 0 unchanged, 0 skipped; /);
    expect(arranged(db)).toBe(0);
    expectSoundAndWhole(db);

    const { counts } = await addFiles(paths, { database });
    expect(counts).toMatchObject({ added: 0, unchanged: 1 });
    expect(arranged(db)).toBe(DOCUMENTS + 1);
    expectSoundAndWhole(db);
  });

  it('is left out where the index has hardly grown', async () => {
    const before = revision(db);
    await addFiles(paths, { database });
    expect(revision(db)).toBe(before);
  });

  it('is done again where the index has shrunk', async () => {
    const ids = Array.from({ length: DOCUMENTS / 5 }, (_, i) => `filled-${i}`);
    expect(createIndexWriter(db).remove(ids)).toHaveLength(ids.length);
    await addFiles(paths, { database });
    expect(arranged(db)).toBe(readTotals(db).documents);
    expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([]);
  });
});

interface Build {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Holds the lock when all documents are written, so that the signal meets the arranging. */
async function interruptArranging(options: {
  db: Store;
  database: string;
  paths: readonly string[];
}): Promise<Build> {
  const { db, database, paths } = options;
  const args = ['--import', AS_TERMINAL, bundlePath(), 'index', 'add', ...paths, '--db', database];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...PATIENT },
  });
  const build: Build = { code: null, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      build[name] += text;
    });
  }
  const exited = new Promise((resolve) => child.once('close', resolve));
  while (child.exitCode === null && readTotals(db).documents === DOCUMENTS) await setTimeout(1);
  db.exec('BEGIN IMMEDIATE');
  await setTimeout(HELD_MS);
  child.kill('SIGINT');
  db.exec('COMMIT');
  await exited;
  build.code = child.exitCode;
  return build;
}

/** Documents with the real model's name and vectors that lie in some heaps. */
function fill(db: Store): void {
  const model = loadModel('');
  claimModel(db, model);
  const random = createRandom(7);
  const vectorOf = (): Float32Array =>
    Float32Array.from({ length: model.dimensions }, () => random.below(1000) / 1000 - 0.5);
  const heaps = Array.from({ length: 40 }, vectorOf);
  const writer = createIndexWriter(db);
  for (let at = 0; at < DOCUMENTS; at += 500) {
    writer.write(
      Array.from({ length: 500 }, (_, i) => {
        const source = documentOf({ id: `filled-${at + i}`, title: `Number ${at + i}` });
        const heap = heaps[random.below(heaps.length)] as Float32Array;
        const noise = vectorOf();
        const vector = normalize(heap.map((component, j) => component + (noise[j] as number)));
        return withVectors(prepareDocument(source), [vector]);
      }),
    );
  }
}

function expectSoundAndWhole(db: Store): void {
  expect(verifyIndex(db, { problemsMax: 10 })).toEqual({
    ...{ documents: DOCUMENTS + 1, sentences: 2, problems: [] },
  });
}

function arranged(db: Store): number {
  return factOf(db, 'arranged');
}

function revision(db: Store): number {
  return factOf(db, 'revision');
}

function factOf(db: Store, name: string): number {
  return Number(db.prepare('SELECT value FROM index_facts WHERE name = ?').pluck().get(name));
}
