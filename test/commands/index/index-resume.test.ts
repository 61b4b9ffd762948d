/** A build that is stopped at any point and resumed loses nothing and adds nothing twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStore, openStoreForReading } from '../../../src/database/open.ts';
import { readRevision } from '../../../src/index/index-facts.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import {
  addFiles,
  countsOf,
  expectSound,
  type IndexedRow,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { createRandom, testSeed } from '../../support/random.ts';

const PAPERS = 240;
const KILLS = 8;
/** After the file is opened; loading the model takes most of it, on a busy machine all. */
const KILL_DELAY_MS_MAX = 500;
/** So every other kill waits for transactions, and comes so long after the last of them at most. */
const WRITTEN_MAX = 3;
const WRITING_MS_MAX = 40;
const TIMEOUT_MS = 400_000;

/** Short transactions, and a build that is slow enough to be met in the midst of its work. */
const SLOW = { VERBATIM_DOCUMENTS_PER_BATCH: '2' };

const HABITATS = ['bay', 'cape', 'delta', 'fjord', 'lagoon', 'reef', 'shoal', 'strait'];
const CHANGES = ['rose', 'fell', 'froze', 'cleared', 'silted up', 'turned brackish'];

const seed = testSeed();
const random = createRandom(seed);

describe('verbatim index add, interrupted', () => {
  it(
    `resumes and makes the same index as one uninterrupted run, seed ${seed}`,
    async () => {
      const folder = await scratchFolder();
      const paths = await writeFiles(folder, files());
      const [database, inOneGo] = [join(folder, 'interrupted.db'), join(folder, 'whole.db')];
      const whole = (await addFiles(paths, { database: inOneGo })).counts;

      const interrupted = await startBuild(paths, database);
      await interrupted.end('SIGINT', 0);
      expect(interrupted).toMatchObject({ code: 130, signal: null });
      expect(interrupted.stderr).toContain('stopping after the current documents');
      expect(interrupted.stderr).toContain('verbatim: interrupted; run the same command to resume');
      expect(interrupted.stdout).toMatch(/^\d+ added, 0 updated, 0 unchanged, 0 skipped; /);
      expectSoundNow(database);

      const resumed = new Set<string>();
      for (let kill = 1; kill <= KILLS; kill++) {
        const killed = await startBuild(paths, database);
        const isWriting = kill % 2 === 0;
        if (isWriting) await killed.written(1 + random.below(WRITTEN_MAX));
        await killed.end('SIGKILL', random.below(isWriting ? WRITING_MS_MAX : KILL_DELAY_MS_MAX));
        expectSoundNow(database);
        for (const [line] of killed.stderr.matchAll(/[\d,]+ records were processed/g)) {
          resumed.add(line);
        }
        // A fast machine may have come to the end before.
        if (killed.code === 0) break;
        expect(killed.signal, killed.stderr).toBe('SIGKILL');
      }
      expect(resumed.size).toBeGreaterThan(1);

      const { counts } = await addFiles(paths, { database });
      expect(counts).toMatchObject({ read: whole.read, skipped: 0 });
      const { documents, sentences } = expectSame(readIndex(database), readIndex(inOneGo));
      expectSound(database, { documents, sentences });
      await expectUpdates(paths, database);
    },
    TIMEOUT_MS,
  );
});

/**
 * The same files again change only what they change in one another; a changed record changes that
 * one, and its text alone is embedded.
 */
async function expectUpdates(paths: readonly string[], database: string): Promise<void> {
  const before = readIndex(database);
  const again = await addFiles(paths, { database });
  expect(again.counts).toMatchObject({ resumed: 0, skipped: 0 });
  expectSame(readIndex(database), before);
  const changed = papers()[7] as Paper;
  const abstract = 'Nothing was found. It was looked for.';
  const [path] = await writeFiles(join(database, '..'), {
    'changed.jsonl': jsonLines([{ ...changed, abstract }]),
  });
  const { counts } = await addFiles([path as string], { database });
  expect(counts).toEqual(countsOf({ read: 1, updated: 1, sentences: 2 }));
  expect(readIndex(database).get('paper-7')?.sentences[0]).toBe('Nothing was found.');
}

interface Paper {
  id: string;
  title: string;
  abstract: string;
}

function papers(): Paper[] {
  return Array.from({ length: PAPERS }, (_, i) => {
    const place = `${HABITATS[i % HABITATS.length]} ${i}`;
    const change = CHANGES[(i * 7) % CHANGES.length];
    const abstract = `We sampled the ${place} for ${i + 1} days. The water ${change} in ${i} of them.`;
    return { id: `paper-${i}`, title: `How the ${place} ${change}`, abstract };
  });
}

/** Papers, later records of some of them, works, and a list that takes some of these back. */
function files(): Record<string, string> {
  const later = papers()
    .filter((_, i) => i % 5 === 0)
    .map((paper) => ({ ...paper, abstract: `${paper.abstract} It was measured again.` }));
  const works = HABITATS.map((place, i) => ({
    id: `https://openalex.org/W${i}`,
    type: 'article',
    publication_year: 2020,
    title: `A work on the ${place}`,
    updated_date: '2024-05-01',
    authorships: [],
    abstract_inverted_index: { It: [0], was: [1], [`a ${place}.`]: [2] },
  }));
  return {
    'a-papers.jsonl': jsonLines(papers()),
    'b-later.jsonl': jsonLines(later),
    'c-works.jsonl': jsonLines(works),
    'd-merged.csv': 'merge_date,id,merge_into_id\n2024-06-01,W1,W0\n2024-06-01,W3,W0\n',
  };
}

interface Build {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Resolves when it has written so many transactions more, or has ended. */
  written(transactions: number): Promise<void>;
  /** Sends the signal so many milliseconds later, and waits for the end. */
  end(signal: NodeJS.Signals, delayMs: number): Promise<void>;
}

async function startBuild(paths: readonly string[], database: string): Promise<Build> {
  const args = [bundlePath(), 'index', 'add', ...paths, '--db', database];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...SLOW },
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  const build: Build = {
    code: null,
    signal: null,
    stdout: '',
    stderr: '',
    async written(transactions) {
      const db = openStoreForReading({ path: database, lockWaitMs: 5000 });
      const revision = readRevision(db);
      const until = revision() + transactions;
      while (child.exitCode === null && revision() < until) await setTimeout(1);
      db.close();
    },
    async end(signal, delayMs) {
      await setTimeout(delayMs);
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

/** An index must be sound whenever the build was ended. */
function expectSoundNow(database: string): void {
  const db = openStore({ path: database, lockWaitMs: 5000 });
  try {
    expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([]);
    const listed = db.prepare('SELECT id FROM paper_changes WHERE reason IS NULL ORDER BY id');
    expect(listed.all()).toEqual(db.prepare('SELECT id FROM documents ORDER BY id').all());
  } finally {
    db.close();
  }
}

/** Document by document and vector by vector; returns how many there are. */
function expectSame(
  found: Map<string, IndexedRow>,
  expected: Map<string, IndexedRow>,
): { documents: number; sentences: number } {
  expect([...found.keys()]).toEqual([...expected.keys()]);
  let sentences = 0;
  for (const [id, row] of expected) {
    expect(found.get(id), id).toEqual(row);
    sentences += row.sentences.length;
  }
  return { documents: found.size, sentences };
}
