/** Builds an index of the sample documents once; tests copy it. Needs dist/: see `npm test`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { samplePath } from '../../src/bundle.ts';
import { runVerbatim } from './verbatim.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sampleIndex: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-test-'));
  const sampleIndex = join(folder, 'sample.db');
  // Nothing else runs yet: two cores are free.
  await runVerbatim(['index', 'add', samplePath(), '--threads', '2', '--db', sampleIndex]);
  project.provide('sampleIndex', sampleIndex);
  return () => rm(folder, { recursive: true });
}
