/** `verbatim index add` reclusters an index that has grown, and can be stopped while it does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { finishIndex } from '../../../src/commands/index/finish-index.ts';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { claimModel, readTotals } from '../../../src/index/index-facts.ts';
import { createSqliteBuilder } from '../../../src/index/sqlite/sqlite-builder.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { prepareDocument, withVectors } from '../../../src/ingest/prepare.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import { normalize } from '../../../src/text/embed/pool-tokens.ts';
import { documentOf } from '../../index/memory-index.ts';
import { addFiles, jsonLines, writeFiles } from '../../ingest/index-files.ts';
import { createRandom } from '../../support/random.ts';

/** About two dozen inverted lists, which take many transactions to recluster. */
const DOCUMENTS = 3000;

describe('finishIndex', () => {
  let db: Connection;
  let database: string;
  let paths: string[];
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'verbatim-recluster-'));
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

  it('leaves a sound index when it is stopped, and the next build finishes it', async () => {
    await addFiles(paths, { database });
    const writer = createIndexWriter(db);
    writer.remove(['one']);
    writer.restore([['id:one']]);
    for (const steps of [1, 2, 3]) {
      db.exec("UPDATE index_facts SET value = 0 WHERE name = 'arranged'");
      const shown = await finishSteps(db, steps);
      expect(shown).toHaveLength(steps);
      expect(shown.at(-1)).toMatch(/^reclustering the index {2}\d\d? %$/);
      expect(clusteredAt(db)).toBe(0);
      expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([]);
    }

    const { counts } = await addFiles(paths, { database });
    expect(counts).toMatchObject({ added: 1 });
    expect(clusteredAt(db)).toBe(DOCUMENTS + 1);
    expectSoundAndWhole(db);
  });

  it('does nothing if Ctrl-C came before it', async () => {
    db.exec("UPDATE index_facts SET value = 0 WHERE name = 'arranged'");
    const before = revision(db);
    expect(await finishSteps(db, 0)).toEqual([]);
    expect([clusteredAt(db), revision(db)]).toEqual([0, before]);
    await addFiles(paths, { database });
    expect(clusteredAt(db)).toBe(DOCUMENTS + 1);
  });

  it('does nothing if the index has hardly grown', async () => {
    const before = revision(db);
    await addFiles(paths, { database });
    expect(revision(db)).toBe(before);
  });

  it('reclusters an index that has shrunk', async () => {
    const ids = Array.from({ length: DOCUMENTS / 5 }, (_, i) => `filled-${i}`);
    expect(createIndexWriter(db).remove(ids)).toHaveLength(ids.length);
    await addFiles(paths, { database });
    expect(clusteredAt(db)).toBe(readTotals(db).documents);
    expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([]);
  });
});

/** Stops after so many steps, as Ctrl-C does. Returns the shown texts. */
async function finishSteps(db: Connection, steps: number): Promise<string[]> {
  const interruption = new AbortController();
  if (steps === 0) interruption.abort();
  const shown: string[] = [];
  const showStatus = (text: string): void => {
    shown.push(text);
    if (shown.length === steps) interruption.abort();
  };
  await finishIndex(createSqliteBuilder(db), { showStatus, signal: interruption.signal });
  return shown;
}

/** Documents with the real model's name and vectors that form clusters. */
function fill(db: Connection): void {
  const model = loadModel('');
  claimModel(db, model);
  const random = createRandom(7);
  const vectorOf = (): Float32Array =>
    Float32Array.from({ length: model.dimensions }, () => random.below(1000) / 1000 - 0.5);
  const centers = Array.from({ length: 40 }, vectorOf);
  const writer = createIndexWriter(db);
  for (let at = 0; at < DOCUMENTS; at += 500) {
    writer.write(
      Array.from({ length: 500 }, (_, i) => {
        const source = documentOf({ id: `filled-${at + i}`, title: `Number ${at + i}` });
        const center = centers[random.below(centers.length)] as Float32Array;
        const noise = vectorOf();
        const vector = normalize(center.map((component, j) => component + (noise[j] as number)));
        return withVectors(prepareDocument(source), [vector]);
      }),
    );
  }
}

function expectSoundAndWhole(db: Connection): void {
  expect(verifyIndex(db, { problemsMax: 10 })).toEqual({
    documents: DOCUMENTS + 1,
    sentences: 2,
    problems: [],
  });
}

function clusteredAt(db: Connection): number {
  return factOf(db, 'arranged');
}

function revision(db: Connection): number {
  return factOf(db, 'revision');
}

function factOf(db: Connection, name: string): number {
  return Number(db.prepare('SELECT value FROM index_facts WHERE name = ?').pluck().get(name));
}
