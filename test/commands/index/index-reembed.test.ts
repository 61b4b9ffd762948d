/** `index reembed`: an index in the space of another model, as if that model had built it. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { lockForServing } from '../../../src/database/sqlite/process-lock.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { openReembedding } from '../../../src/index/documents/reembedding.ts';
import { prepareReadUnits } from '../../../src/index/documents/stored-units.ts';
import { withUnits } from '../../../src/ingest/prepare.ts';
import { bundledModelPath } from '../../../src/settings/bundle.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import { jsonLines, readIndex, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { makeTwoEncoders } from '../../support/two-encoders.ts';
import { runCommand } from '../../support/verbatim.ts';

const SUBJECTS = ['tides', 'sleep', 'copper', 'bees', 'glaciers', 'proteins', 'bridges', 'novels'];
const records = SUBJECTS.flatMap((subject, at) =>
  ['A study', 'A review'].map((kind, copy) => ({
    id: `${subject}-${copy}`,
    title: `${kind} of ${subject}`,
    abstract: `We measured ${subject} for ${at + 2} years. The ${subject} changed by half.`,
  })),
);

const moss = { id: 'moss', title: 'Moss', abstract: 'Moss grew on stones.' };

let folder: string;
let other: string;
/** A third model. */
let wrong: string;
/** A model whose vectors an index may hold beside those of the bundled one. */
let near: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verbatim-reembed-'));
  const { sha256 } = loadModel('');
  other = await changedModel({ name: 'other' });
  wrong = await changedModel({ name: 'wrong', documentPrefix: 'lorem ipsum dolor sit amet: ' });
  near = await changedModel({ name: 'near', compatible: [sha256] });
});

async function changedModel(change: {
  name: string;
  compatible?: string[];
  documentPrefix?: string;
}): Promise<string> {
  const copy = join(folder, change.name);
  await cp(bundledModelPath(), copy, { recursive: true });
  const path = join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  // Another text in front of documents gives them other vectors.
  await writeFile(path, JSON.stringify({ ...manifest, documentPrefix: 'passage: ', ...change }));
  return copy;
}

afterAll(() => rm(folder, { recursive: true }));

/** An index of each model, built once. Returns a copy. */
const built = new Map<string, Promise<string>>();
async function buildIndex(model = ''): Promise<string> {
  const build = async (): Promise<string> => {
    const [papers = ''] = await writeFiles(folder, { 'papers.jsonl': jsonLines(records) });
    const path = join(folder, `${built.size}.db`);
    const options = model === '' ? [] : ['--model', model];
    await runCommand(['index', 'add', papers, '--db', path, ...options]);
    return path;
  };
  if (!built.has(model)) built.set(model, build());
  const database = join(await scratchFolder(), 'index.db');
  await cp((await built.get(model)) as string, database);
  return database;
}

const reembed = (database: string, code = 0, model = other) =>
  runCommand(['index', 'reembed', '--db', database, '--model', model], { code });

const search = (database: string, code = 0) =>
  runCommand(['search', 'copper', '--db', database, '--model', other, '--json'], { code });

async function expectSound(database: string): Promise<void> {
  const { stdout } = await runCommand(['index', 'verify', '--db', database]);
  expect(stdout).toContain('the index is sound');
}

/** The names of all tables and indexes. */
function tablesOf(database: string): string[] {
  let names: string[] = [];
  withDatabase(database, (db) => {
    const read = db.prepare("SELECT type || ' ' || name FROM sqlite_schema ORDER BY 1").pluck();
    names = read.all() as string[];
  });
  return names;
}

/** Moves the first documents, and leaves the index as a killed process would. */
function moveSome(database: string, documents: number, folder = other, from = database): void {
  const vectors = openStore({ path: from, lockWaitMs: 5000 });
  withDatabase(database, (db) => {
    const model = loadModel(folder);
    const reembedding = openReembedding(db, model);
    const readUnits = prepareReadUnits(vectors, model.dimensions);
    const first = reembedding?.documentsAfter(0, documents) ?? [];
    // By default the old vectors under the new name: the command must leave these documents alone.
    const moved = first.map(({ document, source, spans }) => {
      const units = readUnits([document]);
      const texts = [source.title, ...spans.map((s) => source.abstract.slice(s.start, s.end))];
      const made = withUnits(
        { source, spans },
        texts.map((text) => units.get(text) as never),
      );
      return { document, source, own: made.own, units: made.units };
    });
    reembedding?.write(moved);
  });
  vectors.close();
}

function withDatabase(database: string, work: (db: Connection) => void): void {
  const db = openStore({ path: database, lockWaitMs: 5000 });
  try {
    work(db);
  } finally {
    db.close();
  }
}

describe('verbatim index reembed', () => {
  it('makes the index that the other model would have built', async () => {
    const database = await buildIndex();
    const refused = await search(database, 1);
    expect(refused.stderr).toContain('or move the index to this one with: verbatim index reembed');
    const { stdout } = await reembed(database);
    expect(stdout).toMatch(
      /^16 documents embedded in \d+ s; all 16 have vectors of other\nthreshold of the lanes:\n/,
    );
    expect(readIndex(database)).toEqual(readIndex(await buildIndex(other)));
    // From 16 titles.
    expect(stdout).toContain('do not rely on it');
    expect(stdout).not.toContain('set: ');
    const { results } = JSON.parse((await search(database)).stdout);
    expect(results.slice(0, 2).map(({ d }: { d: string }) => d.split('-')[0])).toEqual([
      'copper',
      'copper',
    ]);
    const { stdout: verified } = await runCommand(['index', 'verify', '--db', database]);
    expect(verified).toContain('the index is sound');
    expect((await reembed(database)).stdout).toBe('all 16 documents have vectors of other\n');
    const before = await runCommand(['search', 'copper', '--db', database], { code: 1 });
    expect(before.stderr).toContain(
      `; give --model ${other}, or set VERBATIM_MODEL=${other} and restart the server\n`,
    );
  });

  it('goes on where it was killed, while others search the index and change it', async () => {
    const database = await buildIndex();
    moveSome(database, 5, other, await buildIndex(other));
    const asked = ['search', 'copper', '--db', database, '--json'];
    const before = await runCommand(['search', 'copper', '--db', await buildIndex(), '--json']);
    expect((await runCommand(asked)).stdout).toBe(before.stdout);
    expect((await search(database, 1)).stderr).toContain('was built with the model verbatim-');
    const [added = ''] = await writeFiles(folder, { 'more.jsonl': jsonLines([moss]) });
    await runCommand(['index', 'add', added, '--db', database]);
    // One that has its new vectors, and one that has not.
    await runCommand(['index', 'remove', 'tides-0', 'novels-1', '--db', database]);
    const { stdout, stderr } = await reembed(database);
    expect(stderr).toContain('going on after 4 documents');
    expect(stdout).toContain('11 documents embedded');
    await runCommand(['index', 'remove', 'moss', '--db', database]);
    const expected = readIndex(await buildIndex(other));
    for (const id of ['tides-0', 'novels-1']) expected.delete(id);
    expect(readIndex(database)).toEqual(expected);
    await expectSound(database);
    expect(tablesOf(database)).toEqual(tablesOf(await buildIndex()));
  });

  it('gives new vectors up that are not those of the model', async () => {
    const database = await buildIndex();
    const old = readIndex(database);
    moveSome(database, 5, wrong);
    const { stderr } = await reembed(database, 1, wrong);
    expect(stderr).toMatch(/the new vectors of tides-0 are not those of the model \(cosine/);
    expect(readIndex(database)).toEqual(old);
    expect(tablesOf(database)).toEqual(tablesOf(await buildIndex()));
    await reembed(database, 0, wrong);
    await expectSound(database);
  });

  it('is given up for the model that the index has', async () => {
    const database = await buildIndex();
    const old = readIndex(database);
    moveSome(database, 5);
    const { stdout } = await runCommand(['index', 'reembed', '--db', database]);
    expect(stdout).toBe('all 16 documents have vectors of verbatim-MiniLM-L6\n');
    expect(readIndex(database)).toEqual(old);
    expect(tablesOf(database)).toEqual(tablesOf(await buildIndex()));
  });

  it('changes over only when no document has come meanwhile, and only once', async () => {
    const database = await buildIndex();
    withDatabase(database, (db) => {
      const model = loadModel(other);
      const [first, second] = [openReembedding(db, model), openReembedding(db, model)];
      const all = first?.documentsAfter(0, 99) ?? [];
      const made = all.map((one) => ({ ...one, own: new Float32Array(384).fill(0.05), units: [] }));
      expect(first?.prepareEnd()()).toBe(false);
      first?.write(made);
      // Another process with the same move writes none twice.
      second?.write(made);
      expect(second?.totals()).toEqual({ documents: 16, done: 16 });
      const end = first?.prepareEnd();
      createIndexWriter(db).remove(['bees-0']);
      expect(end?.()).toBe(false);
      expect(first?.prepareEnd()()).toBe(true);
      expect(() => second?.documentsAfter(0, 1)).toThrow('another command has moved');
      expect(() => second?.write(made)).toThrow('another command has moved');
    });
    // Killed before the old vectors were removed.
    expect(tablesOf(database)).toContain('table old_signals');
    const { stdout } = await reembed(database);
    expect(stdout).toBe('all 15 documents have vectors of other\n');
    expect(tablesOf(database)).toEqual(tablesOf(await buildIndex()));
  });

  it('starts again with a third model', async () => {
    const database = await buildIndex();
    moveSome(database, 5);
    const { stdout } = await reembed(database, 0, wrong);
    expect(stdout).toContain('16 documents embedded');
    expect(readIndex(database)).toEqual(readIndex(await buildIndex(wrong)));
  });

  it('has nothing to do for a model with the same encoder of documents', async () => {
    const database = await buildIndex();
    const two = makeTwoEncoders(join(folder, 'two'));
    const found = await runCommand(['search', 'copper', '--db', database, '--model', two]);
    expect(found.stdout).toContain('of copper');
    const { stdout } = await runCommand(['index', 'reembed', '--db', database, '--model', two]);
    expect(stdout).toBe('all 16 documents have vectors of two\n');
    expect(readIndex(await buildIndex(two))).toEqual(readIndex(database));
  });

  it('lets others use the index while it moves to a model that fits it', async () => {
    const database = await buildIndex();
    moveSome(database, 5, near);
    const asked = ['search', 'copper', '--db', database, '--json'];
    for (const model of [[], ['--model', near]]) {
      const { stdout } = await runCommand([...asked, ...model]);
      expect(JSON.parse(stdout).results[0].d).toMatch(/^copper-/);
    }
    const [added = ''] = await writeFiles(folder, {
      'added.jsonl': jsonLines([moss]),
    });
    await runCommand(['index', 'add', added, '--db', database, '--model', near]);
    await runCommand(['index', 'remove', 'bees-0', '--db', database]);
    const doctor = ['doctor', '--db', database, '--model', near];
    expect((await runCommand(doctor)).stdout).toContain('embedded by verbatim-MiniLM-L6');
    const unlock = await lockForServing(database);
    const db = openStore({ path: database, lockWaitMs: 5000 });
    const writer = createIndexWriter(db);
    const { stdout, stderr } = await reembed(database, 0, near);
    expect(stderr).toContain('going on after 5 documents');
    expect(stdout).toContain('all 16 have vectors of near');
    // A writer that was open before goes on.
    expect(writer.remove(['moss'])).toEqual(['moss']);
    db.close();
    unlock();
    const { stdout: verified } = await runCommand(['index', 'verify', '--db', database]);
    expect(verified).toContain('the index is sound');
    expect((await runCommand(asked, { code: 1 })).stderr).toContain('built with the model near');
  });

  it('leaves a document alone that took the number of one that it has read', async () => {
    const database = await buildIndex();
    const [added = ''] = await writeFiles(folder, { 'moss.jsonl': jsonLines([moss]) });
    const numberOf = (db: Connection, id: string): unknown =>
      db.prepare('SELECT number FROM documents WHERE id = ?').pluck().get(id);
    const copy = `${database}-copy`;
    let freed: unknown;
    withDatabase(database, (db) => {
      freed = numberOf(db, 'novels-1');
      createIndexWriter(db).remove(['novels-1']);
    });
    await runCommand(['index', 'add', added, '--db', database]);
    await cp(database, copy);
    const before = readIndex(copy).get('moss');
    withDatabase(database, (db) => expect(numberOf(db, 'moss')).toBe(freed));
    withDatabase(database, (db) => {
      const reembedding = openReembedding(db, loadModel(near));
      const [read] = reembedding?.documentsAfter(Number(freed) - 1, 1) ?? [];
      const stale = { ...read, source: { ...read?.source, title: 'A review of novels' } };
      reembedding?.write([{ ...stale, own: new Float32Array(384), units: [] } as never]);
    });
    expect(readIndex(database).get('moss')).toEqual(before);
  });

  it('stops a build that has started before', async () => {
    const database = await buildIndex();
    const db = openStore({ path: database, lockWaitMs: 5000 });
    const writer = createIndexWriter(db);
    await reembed(database);
    expect(() => writer.remove(['bees-0'])).toThrow(
      expect.objectContaining({ code: 'model_mismatch' }),
    );
    db.close();
  });
});
