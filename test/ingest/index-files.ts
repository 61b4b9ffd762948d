/** Input files in a scratch folder, and what an index holds: for the tests of builder and CLI. */
import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { BuildReport } from '../../src/commands/index/build-report.ts';
import { openExistingStore, openStoreForReading } from '../../src/database/open.ts';
import { decodeEmbeddings } from '../../src/index/dense/embeddings.ts';
import { decodeForwardEntry } from '../../src/index/forward-index.ts';
import { readModel } from '../../src/index/index-facts.ts';
import { decodeSpans } from '../../src/index/sentence-spans.ts';
import type { VerifyReport } from '../../src/index/verify/create-index-check.ts';
import { verifyIndex } from '../../src/index/verify/verify-index.ts';
import { type BuildCounts, noCounts } from '../../src/ingest/build-counts.ts';
import type { InputFile } from '../../src/ingest/read/input.ts';
import { runCommand } from '../support/verbatim.ts';

export type Content = string | Buffer;

/** A folder that is removed when the test has finished. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-index-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files into a folder and returns their paths, in the order of the names. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, Content>>,
): Promise<string[]> {
  const paths = Object.keys(files).map((name) => join(folder, name));
  const contents = Object.values(files);
  await Promise.all(paths.map((path, index) => writeFile(path, contents[index] as Content)));
  return paths;
}

/** Paths as `listFiles` hands on those that are named. */
export function inputsOf(paths: readonly string[]): InputFile[] {
  return paths.map((path) => ({ path, bytes: statSync(path).size, isNamed: true }));
}

export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export interface AddOutcome {
  counts: BuildCounts;
  /** The lines on standard error that tell of bad input. */
  problems: string[];
  /** The last word of a run that failed, undefined where it did not. */
  error: string | undefined;
}

export interface AddOptions {
  database: string;
  code?: number;
  options?: readonly string[];
  env?: Record<string, string>;
}

/** Runs `verbatim index add`; paths in the problems are shown without `folder`. */
export async function addFiles(
  paths: readonly string[],
  { database, code = 0, options = [], env = {} }: AddOptions,
): Promise<AddOutcome> {
  const args = ['index', 'add', ...paths, '--db', database, '--json', ...options];
  const { stdout, stderr } = await runCommand(args, { code, env });
  const report = JSON.parse(stdout) as BuildReport;
  const { seconds: _, files: _files, precomputed: _precomputed, ...rest } = report;
  const { filesRead: _read, passedOver: _passedOver, damaged: _damaged, ...counts } = rest;
  const lines = stderr
    .split('\n')
    .filter((line) => !/^($|reading |created a new database: |\{"(progress|status)")/.test(line));
  const error = lines.find((line) => line.startsWith('verbatim: '));
  const folder = join(database, '..', '/');
  const problems = lines.filter((line) => line !== error);
  return { counts, problems: problems.map((line) => line.replaceAll(folder, '')), error };
}

/** Counts of a build of which only these differ from 0. */
export function countsOf(counts: Partial<BuildCounts>): BuildCounts {
  return { ...noCounts(), ...counts };
}

/** Expects an index of this size in which `verbatim index verify` would find nothing wrong. */
export function expectSound(database: string, size: Omit<VerifyReport, 'problems'>): void {
  const db = openExistingStore({ path: database, lockWaitMs: 5000 });
  try {
    expect(verifyIndex(db, { problemsMax: 10 })).toEqual({ ...size, problems: [] });
  } finally {
    db.close();
  }
}

/** All that an index holds of one document, but for its number. */
export interface IndexedRow {
  title: string;
  abstract: string;
  year: number;
  authors: string[];
  venue: string;
  sentences: string[];
  vectors: Float32Array[];
  terms: string;
}

/** All documents of an index by their ids, in the order of the ids. */
export function readIndex(database: string): Map<string, IndexedRow> {
  const db = openStoreForReading({ path: database, lockWaitMs: 5000 });
  try {
    const dimensions = readModel(db)?.dimensions ?? 0;
    const rows = db
      .prepare('SELECT * FROM documents d JOIN signals s ON s.document = d.number ORDER BY d.id')
      .all() as (Record<string, string> & {
      year: number;
      sentence_spans: Buffer;
      packed: Buffer;
    })[];
    return new Map(
      rows.map(({ id = '', title = '', abstract = '', venue = '', authors = '', ...row }) => [
        id,
        {
          title,
          abstract,
          venue,
          year: row.year,
          authors: JSON.parse(authors),
          sentences: decodeSpans(row.sentence_spans).map((s) => abstract.slice(s.start, s.end)),
          vectors: decodeEmbeddings(decodeForwardEntry(row.packed).vectors, dimensions),
          terms: decodeForwardEntry(row.packed).terms.toString('hex'),
        },
      ]),
    );
  } finally {
    db.close();
  }
}

/** The cosine of two vectors of any length but 0. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [Number(a[i]), Number(b[i])];
    dot += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return dot / Math.sqrt(squaresA * squaresB);
}
