/** A service in the test's own process shares its copy of SQLite, and so its locks. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fakeLanes } from '../lanes/fake-lanes.ts';
import { serveWith } from '../lanes/serve-with-lanes.ts';

it.skipIf(process.platform !== 'linux')('a process loads SQLite once', async () => {
  await serveWith(fakeLanes());
  const maps = readFileSync('/proc/self/maps', 'utf8');
  // Version 13 names its binary after the platform.
  const loaded = maps.match(/\S+\/better-sqlite3(?:-13)?\/\S+\.node$/gm);
  expect(new Set(loaded).size).toBe(1);
});
