/** A build that is ended at any moment, and the same command again: nothing twice, nothing lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundlePath } from '../../src/bundle.ts';
import { openStore } from '../../src/store/open.ts';
import { verifyIndex } from '../../src/store/verify.ts';
import {
  addFiles,
  cosine,
  countsOf,
  expectSound,
  type IndexedRow,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../ingest/index-files.ts';

const DOCUMENTS = 200;
const KILLS = 4;
/** After the file is opened; loading the model takes about the first half of it. */
const KILL_DELAY_MS_MAX = 1000;

/** Short transactions, and a build that is slow enough to be met in the midst of its work. */
const SLOW = { VERBATIM_DOCUMENTS_PER_BATCH: '4', VERBATIM_EMBED_THREADS: '1' };

/** The same text in another batch is summed up in another order. */
const SAME_VECTOR = 0.9999;

const PLACES = ['bay', 'cape', 'delta', 'fjord', 'lagoon', 'reef', 'shoal', 'strait'];
const CHANGES = ['rose', 'fell', 'froze', 'cleared', 'silted up', 'turned brackish'];

describe('verbatim index add, interrupted', () => {
  it('goes on to what it would have made in one go', async () => {
    const folder = await scratchFolder();
    const paths = await writeFiles(folder, { 'papers.jsonl': jsonLines(papers()) });
    const [database, inOneGo] = [join(folder, 'interrupted.db'), join(folder, 'whole.db')];
    const undisturbed = addFiles(paths, { database: inOneGo });

    const interrupted = await startBuild(paths, database);
    await interrupted.end('SIGINT', 0);
    expect(interrupted).toMatchObject({ code: 130, signal: null });
    expect(interrupted.stderr).toContain('stopping after the documents under way');
    expect(interrupted.stderr).toContain('verbatim: interrupted; the same command goes on from');
    expect(interrupted.stdout).toMatch(/^\d+ added, 0 updated, 0 unchanged, 0 skipped; /);
    let stored = soundDocuments(database);
    expect(interrupted.stdout).toContain(`${stored} added`);
    expect(stored).toBeLessThan(DOCUMENTS);

    for (let kill = 0; kill < KILLS && stored < DOCUMENTS; kill++) {
      const delayMs = Math.random() * KILL_DELAY_MS_MAX;
      const killed = await startBuild(paths, database);
      await killed.end('SIGKILL', delayMs);
      const after = soundDocuments(database);
      // A fast machine may have come to the end before.
      const hasEnded = killed.code === 0 && after === DOCUMENTS;
      const isKilled = killed.signal === 'SIGKILL';
      expect(isKilled || hasEnded, `after ${delayMs} ms: ${killed.stderr}`).toBe(true);
      expect(after, `after ${delayMs} ms`).toBeGreaterThanOrEqual(stored);
      stored = after;
    }

    const { counts } = await addFiles(paths, { database });
    const [added, unchanged] = [DOCUMENTS - stored, stored];
    expect(counts).toEqual(countsOf({ read: DOCUMENTS, added, unchanged, sentences: 2 * added }));
    expect((await undisturbed).counts).toMatchObject({ added: DOCUMENTS });
    expectSame(readIndex(database), readIndex(inOneGo));
    await expectSound(database, { documents: DOCUMENTS, sentences: 2 * DOCUMENTS });
    await expectUpdates(paths[0] as string, database);
  });
});

/** The same file again changes nothing; one changed record changes that one. */
async function expectUpdates(path: string, database: string): Promise<void> {
  const again = await addFiles([path], { database });
  expect(again.counts).toEqual(countsOf({ read: DOCUMENTS, unchanged: DOCUMENTS }));
  const changed = papers();
  changed[7] = { ...(changed[7] as Paper), abstract: 'Nothing was found. It was looked for.' };
  await writeFile(path, jsonLines(changed));
  const { counts } = await addFiles([path], { database });
  const [unchanged, updated] = [DOCUMENTS - 1, 1];
  expect(counts).toEqual(countsOf({ read: DOCUMENTS, updated, unchanged, sentences: 2 }));
  await expectSound(database, { documents: DOCUMENTS, sentences: 2 * DOCUMENTS });
  expect(readIndex(database).get('paper-7')?.sentences[0]).toBe('Nothing was found.');
}

interface Paper {
  id: string;
  title: string;
  abstract: string;
}

function papers(): Paper[] {
  return Array.from({ length: DOCUMENTS }, (_, i) => {
    const place = `${PLACES[i % PLACES.length]} ${i}`;
    const change = CHANGES[(i * 7) % CHANGES.length];
    const abstract = `We sampled the ${place} for ${i + 1} days. The water ${change} in ${i} of them.`;
    return { id: `paper-${i}`, title: `How the ${place} ${change}`, abstract };
  });
}

interface Build {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Sends the signal so many milliseconds after reading has begun, and waits for the end. */
  end(signal: NodeJS.Signals, delayMs: number): Promise<void>;
}

async function startBuild(paths: readonly string[], database: string): Promise<Build> {
  const args = [bundlePath(), 'index', 'add', ...paths, '--db', database];
  const child: ChildProcess = spawn(process.execPath, args, { env: { ...process.env, ...SLOW } });
  const exited = new Promise((resolve) => child.once('close', resolve));
  const build: Build = {
    ...{ code: null, signal: null, stdout: '', stderr: '' },
    async end(signal, delayMs) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      child.kill(signal);
      await exited;
      build.code = child.exitCode;
      build.signal = child.signalCode;
    },
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    build.stdout += text;
  });
  const reading = new Promise<void>((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      build.stderr += text;
      if (build.stderr.includes('reading ')) resolve();
    });
  });
  await Promise.race([reading, exited]);
  return build;
}

/** The number of documents in an index, which must be sound whenever the build was ended. */
function soundDocuments(database: string): number {
  const db = openStore({ path: database, lockWaitMs: 5000 });
  try {
    const { documents, problems } = verifyIndex(db, { problemsMax: 10 });
    expect(problems).toEqual([]);
    return documents;
  } finally {
    db.close();
  }
}

function expectSame(found: Map<string, IndexedRow>, expected: Map<string, IndexedRow>): void {
  expect([...found.keys()]).toEqual([...expected.keys()]);
  for (const [id, row] of expected) {
    const { vectors, ...fields } = found.get(id) as IndexedRow;
    const { vectors: expectedVectors, ...expectedFields } = row;
    expect(fields).toEqual(expectedFields);
    expect(vectors).toHaveLength(expectedVectors.length);
    for (const [i, vector] of expectedVectors.entries()) {
      expect(cosine(vectors[i] as Float32Array, vector), `${id} ${i}`).toBeGreaterThan(SAME_VECTOR);
    }
  }
}
