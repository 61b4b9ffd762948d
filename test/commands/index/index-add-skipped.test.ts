/** `verbatim index add --skipped`: all that was not taken, as a program reads it. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SkippedLine } from '../../../src/commands/index/skipped-log.ts';
import { jsonLines, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { runCommand } from '../../support/verbatim.ts';

const GOOD = { id: 'good', title: 'Tides', abstract: 'It rose.' };
const LONG = { id: 'long', title: 'T'.repeat(5_000) };

const LINES = ['rubbish', '{"title": "Without an id"}', JSON.stringify(LONG), '{"id": "none"}'];

const RIS = `TY  - JOUR
AB  - An abstract of a paper without a title, a year, and an id.
ER  -
TY  - JOUR
ID  - bare
ER  -
`;

async function folderOfBadRecords() {
  const folder = await scratchFolder();
  const papers = join(folder, 'papers');
  await mkdir(papers);
  await writeFiles(papers, {
    'a.jsonl': `${LINES.join('\n')}\n${jsonLines([GOOD])}`,
    'b.ris': RIS,
    'c.csv': 'id,title\n1,Moon,of,a,bay\n',
    'notes.txt': 'Not a paper.',
  });
  const out = join(folder, 'skipped.jsonl');
  return { papers, out, database: join(folder, 'index.db') };
}

async function readLines(path: string, folder: string): Promise<SkippedLine[]> {
  const text = await readFile(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line.replaceAll(`${folder}/`, '')) as SkippedLine);
}

describe('verbatim index add --skipped', () => {
  it('writes location, reason, and record for each skipped record', async () => {
    const { papers, out, database } = await folderOfBadRecords();
    const args = ['index', 'add', papers, '--db', database, '--skipped', out];
    await runCommand(args);
    const lines = await readLines(out, papers);
    const facts = lines.map(({ file, line, id, reason }) => [file, line, id, reason]);
    expect(facts).toEqual([
      ['a.jsonl', 1, undefined, 'malformed'],
      ['a.jsonl', 2, undefined, 'without_id'],
      ['a.jsonl', 3, 'long', 'too_long'],
      ['a.jsonl', 4, 'none', 'without_text'],
      ['b.ris', 1, undefined, 'without_id'],
      ['b.ris', 4, 'b.ris::bare', 'without_text'],
      ['c.csv', 2, undefined, 'malformed'],
      ['notes.txt', undefined, undefined, 'unknown_format'],
    ]);
    for (const { text } of lines) expect(text).toMatch(/\w{3}/);
    // The record as it is in the file, unless it is long, or as it was read.
    expect(lines.map(({ raw }) => raw)).toEqual([
      ...[
        LINES[0],
        LINES[1],
        undefined,
        LINES[3],
        undefined,
        undefined,
        '1,Moon,of,a,bay',
        undefined,
      ],
    ]);
    const read = lines.filter((line) => line.read !== undefined);
    expect(read).toMatchObject([
      { line: 1, read: { title: '', abstract: expect.stringMatching(/^An abs/) } },
      { line: 4, read: { title: '' } },
    ]);
    // Not what was skipped before: all of it again.
    await runCommand(args);
    expect(await readLines(out, papers)).toEqual(lines);
  });

  it('fails before reading anything if the file cannot be written', async () => {
    const { papers, database } = await folderOfBadRecords();
    const args = ['index', 'add', papers, '--db', database, '--skipped', '/nowhere/skipped.jsonl'];
    const { stderr, stdout } = await runCommand(args, { code: 1 });
    expect(stderr).toContain('verbatim: cannot write /nowhere/skipped.jsonl: ENOENT');
    expect(stderr).not.toContain('reading');
    expect(stdout).toBe('');
  });
});
