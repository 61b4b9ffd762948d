/**
 * Chooses where the files of tests lie, builds an index of the sample documents, which tests copy, and
 * offers a browser.
 * Needs dist/: see `npm test`.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { samplePath } from '../../src/settings/bundle.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { offerBrowser } from './shared-browser.ts';
import { runVerbatim } from './verbatim.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sampleIndex: string;
    browser: string;
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
  const add = ['index', 'add', samplePath(), '--threads', '2', '--db', sampleIndex];
  await runVerbatim(add, { env: project.config.env as Record<string, string> });
  project.provide('sampleIndex', sampleIndex);
  const browser = await offerBrowser();
  project.provide('browser', browser.url);
  return async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  };
}
