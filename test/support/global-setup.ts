/**
 * Chooses where the files of tests lie, and builds an index of the sample documents, which tests copy.
 * Needs dist/: see `npm test`.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { samplePath } from '../../src/bundle.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { runVerbatim } from './verbatim.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sampleIndex: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const inMemory = process.env['TMPDIR'] === undefined ? makeMemoryFolder() : undefined;
  const folder = inMemory ?? (await mkdtemp(join(tmpdir(), 'verbatim-test-')));
  // Some programs run as another user.
  await chmod(folder, 0o755);
  // Of this process, and so of those that it starts.
  process.env['TMPDIR'] = folder;
  const sampleIndex = join(folder, 'sample.db');
  // Nothing else runs yet: two cores are free.
  await runVerbatim(['index', 'add', samplePath(), '--threads', '2', '--db', sampleIndex]);
  project.provide('sampleIndex', sampleIndex);
  return () => rm(folder, { recursive: true, force: true });
}
