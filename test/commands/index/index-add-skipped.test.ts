/** `verbatim index add --skipped`: all that was not taken, as a program reads it. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SkippedLine } from '../../../src/commands/index/skipped-log.ts';
import { jsonLines, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { runVerbatim } from '../../support/verbatim.ts';

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
    await runVerbatim(args);
    const lines = await readLines(out, papers);
    expect(lines).toEqual([
      {
        file: 'a.jsonl',
        line: 1,
        reason: 'malformed',
        raw: 'rubbish',
        text: expect.stringMatching(/^not JSON: /),
      },
      {
        file: 'a.jsonl',
        line: 2,
        reason: 'without_id',
        text: 'there is no id',
        raw: '{"title": "Without an id"}',
      },
      {
        file: 'a.jsonl',
        line: 3,
        id: 'long',
        reason: 'too_long',
        text: 'the title has 5000 characters, at most 4000 are taken',
      },
      {
        file: 'a.jsonl',
        line: 4,
        id: 'none',
        reason: 'without_text',
        text: 'there is neither title nor abstract',
        raw: '{"id": "none"}',
      },
      {
        file: 'b.ris',
        line: 1,
        reason: 'without_id',
        text: 'there is neither id nor title',
        read: expect.objectContaining({ title: '', abstract: expect.stringMatching(/^An abs/) }),
      },
      {
        file: 'b.ris',
        line: 4,
        id: 'b.ris::bare',
        reason: 'without_text',
        text: 'there is neither title nor abstract',
        read: expect.objectContaining({ title: '' }),
      },
      {
        file: 'c.csv',
        line: 2,
        reason: 'malformed',
        raw: '1,Moon,of,a,bay',
        text: 'the row has 5 cells, there are 2 columns',
      },
      {
        file: 'notes.txt',
        reason: 'unknown_format',
        text: 'no format recognizes it',
      },
    ]);
    // Not what was skipped before: all of it again.
    await runVerbatim(args);
    expect(await readLines(out, papers)).toEqual(lines);
  });

  it('fails before reading anything if the file cannot be written', async () => {
    const { papers, database } = await folderOfBadRecords();
    const args = ['index', 'add', papers, '--db', database, '--skipped', '/nowhere/skipped.jsonl'];
    const { stderr, stdout } = await runVerbatim(args, { code: 1 });
    expect(stderr).toContain('verbatim: cannot write /nowhere/skipped.jsonl: ENOENT');
    expect(stderr).not.toContain('reading');
    expect(stdout).toBe('');
  });
});
