/** `npm run sources` at a tiny scale: each source survives kills, and asks for no more than it needs. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');
const run = promisify(execFile);
const names = ['arxiv', 'openalex-api', 'openalex-snapshot', 'pubmed', 'crossref'];

it('finds nothing wrong with any source', async () => {
  const args = [script, 'sources', '--smoke', '--json'];
  // It exits 1 if something is wrong. The report comes all the same.
  const { stdout } = await run(process.execPath, args).catch((error: { stdout: string }) => error);
  const report = JSON.parse(stdout);
  expect(report.wrong).toEqual([]);
  const [requests, seconds] = [expect.any(Object), expect.any(Number)];
  const expected = [...names, 'address', 'folder'].map((source) => {
    return { source, papers: 12, requests, kills: 2, seconds, isEqual: true };
  });
  expect(report.sources).toEqual(expected);
});
