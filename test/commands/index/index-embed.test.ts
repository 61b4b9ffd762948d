/** Vectors on one machine, the index on another: with the real model, through the command line. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildReport } from '../../../src/commands/index/build-report.ts';
import type { EmbedCounts } from '../../../src/ingest/embed-files.ts';
import {
  cosine,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

/** Vectors in 16 bits end up in another step of the index's 4 bits now and then. */
const SAME_VECTOR = 0.999;

const PAPERS = [...Array(12).keys()].map((n) => ({
  id: `p${n}`,
  title: `Tides of the bay ${n}`,
  abstract: `The water rose ${n} times. Nobody knows why it did so in the bay ${n}.`,
}));

let paths: string[];
let vectors: string;
let embedded: EmbedCounts;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verbatim-embed-'));
  paths = await writeFiles(folder, {
    'papers.jsonl': jsonLines([...PAPERS, PAPERS[0], { id: 'bad' }]),
  });
  vectors = join(folder, 'papers.vectors');
  embedded = await runCommandJson(['index', 'embed', '--out', vectors, ...paths]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const database = async (): Promise<string> => join(await scratchFolder(), 'index.db');

const sentencesOf = ({ abstract }: { abstract: string }): string[] => abstract.split(/(?<=\.) /);

/** Gives every text of a file the vector of the next one. */
function rotate(file: string): void {
  const db = new Database(file);
  const hashes = db.prepare('SELECT hash FROM vectors ORDER BY number').pluck().all();
  const blobs = db.prepare('SELECT vector FROM vectors ORDER BY number').pluck().all();
  const swap = db.prepare('UPDATE vectors SET vector = ? WHERE hash = ?');
  for (const [at, hash] of hashes.entries()) swap.run(blobs[(at + 1) % blobs.length], hash);
  db.close();
}

describe('verbatim index embed', () => {
  it('embeds each text once', async () => {
    expect(embedded).toMatchObject({ read: 14, embedded: 36, known: 3, filesFailed: 0 });
    const again = await runCommandJson<EmbedCounts>(['index', 'embed', '--out', vectors, ...paths]);
    expect(again).toMatchObject({ read: 14, embedded: 0, known: 39 });
  });

  it('reports what it embedded and what it could not read', async () => {
    const [good = '', bad = ''] = await writeFiles(await scratchFolder(), {
      'a.jsonl': jsonLines(PAPERS.slice(0, 2)),
      'b.txt': 'no records here',
    });
    const out = join(folder, 'other.vectors');
    const { stdout, stderr } = await runCommand(['index', 'embed', good, bad, '--out', out], {
      code: 1,
    });
    expect(stdout).toMatch(/^6 texts of 2 records embedded into .*other.vectors, 0 known, in /);
    expect(stderr).toContain(`cannot index ${bad}: no format recognizes it`);
    expect(stderr).toContain('verbatim: 1 of 2 files could not be read to the end');
  });
});

describe('verbatim index embed --texts-out', () => {
  it('writes each text of a build as a line for another program, and embeds none', async () => {
    const out = join(await scratchFolder(), 'texts.jsonl');
    const { stdout } = await runCommand(['index', 'embed', '--texts-out', out, ...paths], {
      env: { VERBATIM_EMBED_DEVICE: 'cuda' },
    });
    expect(stdout).toMatch(/^3[6-9] texts of 14 records written to .*texts.jsonl\n$/);
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line)))).toEqual(
      new Set([...PAPERS.map(({ title }) => title), ...PAPERS.flatMap(sentencesOf)]),
    );
    const { stderr } = await runCommand(['index', 'embed', '--texts-out', folder, ...paths], {
      code: 1,
    });
    expect(stderr).toContain(`cannot write ${folder}: EISDIR`);
    const neither = await runCommand(['index', 'embed', ...paths], { code: 2 });
    expect(neither.stderr).toContain("required option '--out <file>' not specified");
  });
});

describe('verbatim index add --embeddings', () => {
  it('takes vectors of several files, each checked, and what none has is embedded', async () => {
    const folder = await scratchFolder();
    const parts = await writeFiles(folder, {
      'a.jsonl': jsonLines(PAPERS.slice(0, 5)),
      'b.jsonl': jsonLines(PAPERS.slice(4, 9)),
    });
    const files = parts.map((part) => `${part}.vectors`);
    for (const [at, part] of parts.entries()) {
      await runCommand(['index', 'embed', part, '--out', files[at] ?? '']);
    }
    const given = files.flatMap((file) => ['--embeddings', file]);
    const [own, other] = [await database(), await database()];
    await runCommandJson(['index', 'add', ...paths, '--db', own]);
    const add = ['index', 'add', ...paths, ...given, '--db', other];
    expect(await runCommandJson<BuildReport>(add)).toMatchObject({ added: 12, precomputed: 27 });
    const answers = await Promise.all(
      [own, other].map((db) => runCommand(['search', 'why did the water rise', '--db', db])),
    );
    expect(answers[1]?.stdout).toBe(answers[0]?.stdout);
    const [, second = ''] = files;
    rotate(second);
    const refused = await runCommand(
      ['index', 'add', ...paths, ...given, '--db', await database()],
      {
        code: 1,
      },
    );
    expect(refused.stderr).toContain(`the vectors of ${second} are not this model's`);
    const none = await runCommand([...add, '--embeddings', 'none'], { code: 1 });
    expect(none.stderr).toContain('cannot use the vectors in none: the file does not exist');
  });

  it('makes the same index as the model and embeds texts missing in the file', async () => {
    const [own, other] = [await database(), await database()];
    const [more = ''] = await writeFiles(await scratchFolder(), {
      'more.jsonl': jsonLines([{ id: 'x', title: 'Not in the file', abstract: 'It is new.' }]),
    });
    const files = [...paths, more];
    await runCommandJson(['index', 'add', ...files, '--db', own]);
    const add = ['index', 'add', ...files, '--db', other, '--embeddings', vectors];
    const report = await runCommandJson<BuildReport>(add);
    expect(report).toMatchObject({ added: 13, skipped: 1, precomputed: 36 });
    const [expected, found] = [readIndex(own), readIndex(other)];
    expect([...found.keys()]).toEqual([...expected.keys()]);
    for (const [id, { vectors: theirs, ...fields }] of expected) {
      const { vectors: ours = [], ...foundFields } = found.get(id) ?? {};
      expect(foundFields).toEqual(fields);
      expect(ours).toHaveLength(theirs.length);
      for (const [at, vector] of theirs.entries()) {
        expect(cosine(ours[at] ?? [], vector)).toBeGreaterThan(SAME_VECTOR);
      }
    }
    const history = await runCommand(['index', 'history', '--db', other, '--json']);
    expect(history.stdout).toContain('"precomputed":36');
  });

  it('rejects vectors of another model before anything is written', async () => {
    const wrong = join(await scratchFolder(), 'wrong.vectors');
    await cp(vectors, wrong);
    rotate(wrong);
    const index = await database();
    const args = ['index', 'add', ...paths, '--db', index, '--embeddings', wrong];
    const { stderr } = await runCommand(args, { code: 1 });
    expect(stderr).toMatch(
      /verbatim: the vectors of .*wrong.vectors are not this model's: that of/,
    );
    expect(readIndex(index).size).toBe(0);
  });

  it('rejects a file that is not a file of vectors', async () => {
    const args = ['index', 'add', ...paths, '--db', await database(), '--embeddings', 'none'];
    const { stderr } = await runCommand(args, { code: 1 });
    expect(stderr).toContain('verbatim: cannot use the vectors in none: the file does not exist');
  });
});
