/**
 * `npm run sources` at a tiny scale: sources survive kills, and ask for no more than they need. The tests of
 * the other providers go on from each of their steps.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');
const run = promisify(execFile);
/** Pages by token and by cursor, files of a snapshot, and a folder. */
const names = ['arxiv', 'openalex-snapshot', 'crossref', 'folder'];

it('finds nothing wrong with a source of each kind', async () => {
  const args = [script, 'sources', '--smoke', '--json', '--only', names.join()];
  // It exits 1 if something is wrong. The report comes all the same.
  const { stdout } = await run(process.execPath, args).catch((error: { stdout: string }) => error);
  const report = JSON.parse(stdout);
  expect(report.wrong).toEqual([]);
  const [requests, seconds] = [expect.any(Object), expect.any(Number)];
  const expected = names.map((source) => {
    return { source, papers: 12, requests, kills: 2, seconds, isEqual: true };
  });
  expect(report.sources).toEqual(expected);
});
