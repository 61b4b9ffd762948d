/** A folder with an index, and the command `source` on it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';
import type { Source } from '../../src/sources/ports/source.ts';
import { readIndex } from '../ingest/index-files.ts';
import { withLimits } from '../support/limits.ts';
import { type Finished, runCommand } from '../support/verbatim.ts';

export interface SourceWorld {
  folder: string;
  database: string;
  /** Runs `verbatim source`. */
  run(args: readonly string[], code?: number): Promise<Finished>;
  /** The only source. */
  source(): Promise<Source>;
  /** The titles in the index by their ids, and the abstracts. */
  papers(): Record<string, [title: string, abstract: string]>;
  /** Starts `source update` as a process. Resolves when it has ended; `kill` ends it at once. */
  startUpdate(): { kill: () => void; ended: Promise<number | null> };
}

/** Everything is removed when the test is finished. */
export async function newSourceWorld(limits = {}): Promise<SourceWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-sources-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = join(folder, 'verbatim.db');
  const env = {
    VERBATIM_LANE_CONTACT: 'ada@example.org',
    ...withLimits({ arxivGapMs: 1, sourceGapMs: 1, laneBackoffMs: 1, ...limits }),
  };
  const run = (args: readonly string[], code = 0): Promise<Finished> =>
    runCommand(['source', ...args, '--db', database], { env, code });
  return {
    folder,
    database,
    run,
    async source() {
      const [first] = JSON.parse((await run(['list', '--json'])).stdout) as Source[];
      if (first === undefined) throw new Error('there is no source');
      return first;
    },
    papers: () =>
      Object.fromEntries(
        [...readIndex(database)].map(([id, { title, abstract }]) => [id, [title, abstract]]),
      ),
    startUpdate() {
      const args = [bundlePath(), 'source', 'update', '--db', database];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, ...env },
        stdio: 'ignore',
      });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      return { kill: () => void child.kill('SIGKILL'), ended };
    },
  };
}
