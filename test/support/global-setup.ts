/**
 * Makes once what takes long and tests only copy: an index of the sample documents, the hash of a
 * password. Needs dist/: see `npm test`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createPasswordHasher } from '../../src/accounts/password-hash.ts';
import { samplePath } from '../../src/bundle.ts';
import { PASSWORD } from './history.ts';
import { runVerbatim } from './verbatim.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sampleIndex: string;
    /** Of the PASSWORD of history.ts. */
    passwordHash: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-test-'));
  const sampleIndex = join(folder, 'sample.db');
  // Nothing else runs yet: two cores are free.
  await runVerbatim(['index', 'add', samplePath(), '--threads', '2', '--db', sampleIndex]);
  project.provide('sampleIndex', sampleIndex);
  const hasher = createPasswordHasher({ passwordHashesMax: 1, passwordHashesWaitingMax: 1 });
  project.provide('passwordHash', await hasher.hash(PASSWORD));
  return () => rm(folder, { recursive: true });
}
