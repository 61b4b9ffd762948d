/** The builder with a toy model and an index in memory: batches, order, counts, interruption. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { type BuildOptions, build } from '../../src/ingest/build.ts';
import { formatNamed } from '../../src/ingest/formats.ts';
import { expectSound, memoryIndex, toyVector } from '../index/memory-index.ts';
import {
  type Content,
  countsOf,
  inputsOf,
  jsonLines,
  scratchFolder,
  writeFiles,
} from './index-files.ts';

const ARCHIVE_LIMITS = { archiveMembersMax: 10, archiveMemberBytesMax: 1_000_000 };
const LIMITS = {
  lineBytesMax: 1000,
  titleCharactersMax: 100,
  abstractCharactersMax: 500,
  authorsMax: 10,
  documentsPerBatch: 3,
};

const RISING = { id: 'a', title: 'Rising', abstract: 'It rose. It stood.' };
const FALLING = { id: 'b', title: 'Falling', abstract: 'It fell.' };

describe('build', () => {
  it('adds new records and skips unchanged ones', async () => {
    const db = memoryIndex();
    const content = jsonLines([RISING, FALLING]);
    const first = await run(db, { 'a.jsonl': content });
    expect(first.counts).toEqual(countsOf({ read: 2, added: 2, sentences: 3 }));
    const second = await run(db, { 'a.jsonl': content });
    expect(second.counts).toEqual(countsOf({ read: 2, unchanged: 2 }));
    expect(second.batches).toEqual([]);
    expectSound(db);
  });

  it.each([
    ['title', { title: 'Risen' }],
    ['abstract', { abstract: 'It rose.' }],
    ['year', { year: 1998 }],
    ['authors', { authors: ['A. Berg'] }],
    ['venue', { venue: 'Shore' }],
  ])('replaces a document whose %s has changed', async (_, change) => {
    const db = memoryIndex();
    await run(db, { 'a.jsonl': jsonLines([RISING, FALLING]) });
    const { counts } = await run(db, { 'a.jsonl': jsonLines([{ ...RISING, ...change }, FALLING]) });
    expect(counts).toMatchObject({ read: 2, added: 0, updated: 1, unchanged: 1 });
    expectSound(db);
  });

  it('does not treat another order of fields as a change', async () => {
    const db = memoryIndex();
    await run(db, { 'a.jsonl': jsonLines([RISING]) });
    const { abstract, title, id } = RISING;
    const { counts } = await run(db, { 'a.jsonl': jsonLines([{ abstract, title, id, x: 1 }]) });
    expect(counts).toMatchObject({ unchanged: 1, updated: 0 });
  });

  it.each([1, 2, 3, 100])(
    'keeps the last of many records with one id in batches of %i',
    async (size) => {
      const db = memoryIndex();
      const versions = Array.from({ length: 10 }, (_, i) => ({ ...RISING, title: `Rising ${i}` }));
      const { counts } = await run(db, { 'a.jsonl': jsonLines(versions) }, { batchSize: size });
      expect(counts).toEqual(
        countsOf({ read: 10, added: 1, updated: 9, sentences: 2, sentencesKept: 18 }),
      );
      expect(titles(db)).toEqual(['Rising 9']);
      expectSound(db);
    },
  );

  it('restores an earlier content of an id whose change is still pending', async () => {
    const db = memoryIndex();
    const versions = ['one', 'two', 'one', 'one', 'two', 'one'].map((title) => ({
      id: 'a',
      title,
    }));
    const { counts } = await run(db, { 'a.jsonl': jsonLines(versions) }, { batchSize: 1 });
    expect(counts).toEqual(
      countsOf({ read: 6, added: 1, updated: 4, unchanged: 1, withoutAbstract: 5 }),
    );
    expect(titles(db)).toEqual(['one']);
    expectSound(db);
  });

  it('keeps the last record of an id that several files contain', async () => {
    const db = memoryIndex();
    const newer = { ...RISING, title: 'Risen' };
    const files = { 'a.jsonl': jsonLines([RISING, FALLING]), 'b.jsonl': jsonLines([newer]) };
    const { counts } = await run(db, files);
    expect(counts).toMatchObject({ read: 3, added: 2, updated: 1 });
    expect(titles(db)).toEqual(['Falling', 'Risen']);
  });

  it('writes in reading order, whichever batch is embedded first', async () => {
    const db = memoryIndex();
    const documents = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, title: `Title ${i}` }));
    let delayMs = 20;
    const embed = async (texts: string[]) => {
      delayMs -= 3;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, delayMs)));
      return texts.map(toyVector);
    };
    await run(db, { 'a.jsonl': jsonLines(documents) }, { embed });
    const ids = db.prepare('SELECT id FROM documents ORDER BY number').pluck().all();
    expect(ids).toEqual(documents.map(({ id }) => id));
  });

  it('limits the batches in flight and their size', async () => {
    let [inFlight, inFlightMost] = [0, 0];
    const embed = async (texts: string[]) => {
      inFlightMost = Math.max(inFlightMost, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inFlight--;
      return texts.map(toyVector);
    };
    const documents = Array.from({ length: 32 }, (_, i) => ({ id: `${i}`, title: `Title ${i}` }));
    const { batches } = await run(memoryIndex(), { 'a.jsonl': jsonLines(documents) }, { embed });
    expect(batches).toEqual([...Array(10).fill(3), 2]);
    expect(inFlightMost).toBeLessThanOrEqual(3);
  });

  it('reports each bad record with its file and line and goes on', async () => {
    const db = memoryIndex();
    const content = [
      ...[JSON.stringify(RISING), 'rubbish', '', '{"id": "", "title": "Tides"}'],
      ...['{"id": "c"}', '{"id": "d", "title": 5}', JSON.stringify(FALLING)],
    ].join('\n');
    const { counts, problems } = await run(db, { 'a.jsonl': content });
    expect(counts).toEqual(
      countsOf({
        read: 6,
        added: 2,
        skipped: 4,
        sentences: 3,
        skippedBy: { malformed: 2, without_id: 1, without_text: 1 },
      }),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^a\.jsonl:2: not JSON: /),
      'a.jsonl:4: there is no id',
      'a.jsonl:5: there is neither title nor abstract',
      'a.jsonl:6: "title" must be a string, not a number',
    ]);
    expectSound(db);
  });

  it('continues with the next file after one that cannot be read to the end', async () => {
    const db = memoryIndex();
    const files = {
      'a.jsonl': 'rubbish',
      'b.jsonl': gzipSync(jsonLines([RISING])).subarray(0, -4),
      'c.jsonl': jsonLines([FALLING]),
    };
    const { counts, problems } = await run(db, files);
    expect(counts).toEqual(countsOf({ read: 2, added: 2, sentences: 3, filesFailed: 2 }));
    expect(problems).toEqual([
      expect.stringContaining('no format recognizes it'),
      expect.stringContaining('breaks off: unexpected end of file'),
    ]);
  });

  it('reads each file in its own format, or all files in the named format', async () => {
    const beir = jsonLines([{ _id: '1', title: 'Tides', text: 'The sea rises.' }]);
    const files = { 'a.jsonl': beir, 'b.jsonl': jsonLines([RISING]) };
    const own = await run(memoryIndex(), files);
    expect(own.started).toEqual(['a.jsonl beir', 'b.jsonl verbatim']);
    const named = await run(memoryIndex(), files, { format: formatNamed('beir') });
    expect(named.started).toEqual(['a.jsonl beir', 'b.jsonl beir']);
    expect(named.counts).toMatchObject({ added: 1, skipped: 1 });
    expect(named.problems).toEqual(['b.jsonl:1: there is no id']);
  });

  it('stops reading at the signal and writes pending changes', async () => {
    const db = memoryIndex();
    const documents = Array.from({ length: 50 }, (_, i) => ({ id: `${i}`, title: `Title ${i}` }));
    const content = jsonLines(documents);
    const controller = new AbortController();
    const files = { 'a.jsonl': content, 'b.jsonl': jsonLines([RISING]) };
    const { counts } = await run(db, files, {
      signal: controller.signal,
      progress: ({ read }) => read === 10 && controller.abort(),
    });
    expect(counts).toEqual(countsOf({ read: 10, added: 10, withoutAbstract: 10 }));
    expect(titles(db)).toHaveLength(10);
    const rest = await run(db, files);
    expect(rest.counts).toMatchObject({ read: 51, added: 41, unchanged: 10 });
    expectSound(db);
  });

  it('fails when the embedder fails and leaves a sound index', async () => {
    const db = memoryIndex();
    const documents = Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, title: `Title ${i}` }));
    let batches = 0;
    const embed = async (texts: string[]) => {
      if (++batches === 3) throw new Error('no more memory');
      return texts.map(toyVector);
    };
    const building = run(db, { 'a.jsonl': jsonLines(documents) }, { embed });
    await expect(building).rejects.toThrow('no more memory');
    expect(titles(db)).toHaveLength(6);
    expectSound(db);
  });

  it('reports progress in bytes on disk', async () => {
    const seen: number[] = [];
    const files = { 'a.jsonl': gzipSync(jsonLines([RISING])), 'b.jsonl': jsonLines([FALLING]) };
    const total = files['a.jsonl'].length + files['b.jsonl'].length;
    await run(memoryIndex(), files, {
      progress: ({ bytesRead, bytesTotal }) => {
        expect(bytesTotal).toBe(total);
        seen.push(bytesRead);
      },
    });
    expect(seen).toEqual([files['a.jsonl'].length, total]);
  });
});

interface RunOptions extends Partial<Pick<BuildOptions, 'embed' | 'format' | 'signal'>> {
  batchSize?: number;
  progress?: (progress: Parameters<BuildOptions['listener']['progress']>[0]) => unknown;
}

/** Builds from these files; names of files are shown without their folder. */
async function run(
  db: Connection,
  files: Readonly<Record<string, Content>>,
  options: RunOptions = {},
) {
  const { batchSize = LIMITS.documentsPerBatch, embed, progress, format, signal } = options;
  const folder = await scratchFolder();
  const nameOf = (path: string): string => path.replaceAll(`${folder}/`, '');
  const problems: string[] = [];
  const started: string[] = [];
  const batches: number[] = [];
  const counts = await build({
    files: inputsOf(await writeFiles(folder, files)),
    format,
    batchesInFlightMax: 2,
    builder: createSqliteBuilder(db),
    limits: { ...LIMITS, ...ARCHIVE_LIMITS, documentsPerBatch: batchSize },
    embed: (texts) => {
      batches.push(texts.length);
      return embed?.(texts) ?? Promise.resolve(texts.map(toyVector));
    },
    listener: {
      fileStarted: (path, name) => started.push(`${nameOf(path)} ${name}`),
      passedOver: ({ path, why }) => problems.push(`${nameOf(path)}: ${why}`),
      fileFailed: (_path, error) => problems.push(nameOf(error.message)),
      skipped: ({ path, line, problem }) => problems.push(`${nameOf(path)}:${line}: ${problem}`),
      progress: (counted) => progress?.(counted),
    },
    signal: signal ?? new AbortController().signal,
  });
  return { counts, problems, started, batches };
}

function titles(db: Connection): unknown[] {
  return db.prepare('SELECT title FROM documents ORDER BY title').pluck().all();
}
