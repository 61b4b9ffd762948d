/** `verbatim index changes` as a user meets it, of a database and of a copy. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ListedChanges } from '../../../src/search/papers/list-changes.ts';
import { jsonLines, writeFiles } from '../../ingest/index-files.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { checkCommands, failure, usageError } from '../../support/command-line.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

const folder = temporaryFolder();
const database = join(folder, 'verbatim.db');
const db = ['--db', database];

const list = (...args: string[]): Promise<ListedChanges> =>
  runCommandJson<ListedChanges>(['index', 'changes', ...args, ...db]);

async function add(name: string, papers: readonly object[]): Promise<void> {
  const [file = ''] = await writeFiles(folder, { [name]: jsonLines(papers) });
  await runCommand(['index', 'add', file, ...db]);
}

beforeAll(async () => {
  await add('papers.jsonl', [
    { id: 'tides', title: 'Tides\tof a shore', year: 2001 },
    { id: 'moon', title: 'Moon', withheld: 'retracted' },
  ]);
});

describe('verbatim index changes', () => {
  it('prints a table, and how to go on', async () => {
    const { stdout } = await runCommand(['index', 'changes', ...db]);
    const [heads, first, second, last] = stdout.split('\n');
    expect(heads).toMatch(/^at +what +paper +title$/);
    expect(first).toMatch(
      /^20[\d-]{8} [\d:]{8} {2}added +tides +Tides\\u\{9\}of a shore \(2001\)$/,
    );
    expect(second).toMatch(/withdrawn \(retracted\) +moon +Moon$/);
    const { cursor } = await list();
    expect(last).toBe(`go on with --since ${cursor}`);
    const page = await runCommand(['index', 'changes', '--limit', '1', ...db]);
    expect(page.stdout).toMatch(/^there are more; go on with --since [0-9a-f]{32}\.\d+\.\d+$/m);
  });

  it('goes on with a cursor, also from a copy of the index', async () => {
    const { cursor } = await list('--since', '2026-01-01');
    await add('later.jsonl', [{ id: 'waves', title: 'Waves' }]);
    const later = await list('--since', cursor);
    expect(later.changes).toMatchObject([{ d: 'waves', kind: 'added' }]);
    const copies = join(folder, 'copies');
    await runCommand(['index', 'publish', copies, ...db]);
    const env = { VERBATIM_READ_ONLY_INDEX: copies };
    const args = ['index', 'changes', '--since', cursor, '--json', ...db];
    expect(JSON.parse((await runCommand(args, { env })).stdout)).toEqual(later);
  });
});

describe('verbatim index changes refuses', () => {
  checkCommands(
    () => database,
    [
      [
        ['index', 'changes', '--since', 'today'],
        usageError('It must be a date, a time with its zone'),
      ],
      [['index', 'changes', '--limit', '1001'], usageError('It must be at most 1000.')],
      [
        ['index', 'changes', '--since', `${'0'.repeat(32)}.1.1`],
        failure('this cursor is of an index that was replaced or restored'),
      ],
    ],
  );
});
