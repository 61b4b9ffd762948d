/** `verbatim index add --dry-run`: what it says, and that it writes nothing. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DryRunReport } from '../../../src/commands/index/print-dry-run.ts';
import type { SkippedLine } from '../../../src/commands/index/skipped-log.ts';
import { jsonLines, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { runCommand } from '../../support/verbatim.ts';

const PAPERS = [
  { id: 'a', title: 'Tides', abstract: 'It rose. It fell.', language: 'en', type: 'review' },
  { id: 'b', title: 'Moon', year: 2015 },
  { title: 'Without an id' },
];
const TABLE = 'Title,DOI,Notes,Abstract\nSand,10.5555/sand,mine,It lay.\nShore,10.5555/shore\n';

async function inputFolder() {
  const folder = await scratchFolder();
  const files = { 'a.jsonl': jsonLines(PAPERS), 'b.csv': TABLE, 'README.md': 'Notes.' };
  await writeFiles(folder, files);
  return { folder, args: ['index', 'add', folder, '--db', join(folder, 'index.db'), '--dry-run'] };
}

describe('verbatim index add --dry-run', () => {
  it('prints format, counts, columns, disk, and time, and writes nothing', async () => {
    const { folder, args } = await inputFolder();
    const { stdout, stderr } = await runCommand(args);
    const lines = stdout.replaceAll(`${folder}/`, '');
    for (const fact of [
      'a.jsonl: verbatim, 3 read, 2 taken, 1 with abstract, 0 deletions\n',
      ' to skip: 1 without id\n  languages: en 1\n  types: review 1\n',
      'b.csv: csv, 2 read, 2 taken, 1 with abstract, 0 deletions\n',
      'used: Title (title), Abstract (abstract), DOI (doi)\n  columns ignored: Notes\n',
      '\n4 records would be taken, with 7 titles and sentences\n',
      ' 5.2 kB of disk and ',
      'Nothing was written.',
    ]) {
      expect(lines).toContain(fact);
    }
    expect(lines).toMatch(/ [\d,.]+ texts\/s, measured on this machine with 7 texts\n/);
    expect(stderr).toContain('README.md: its name is that of a note');
    expect((await readdir(folder)).sort()).toEqual(['README.md', 'a.jsonl', 'b.csv']);
  });

  it('prints the same as JSON for the selected records', async () => {
    const { folder, args } = await inputFolder();
    const { stdout } = await runCommand([...args, '--json', '--with-abstract']);
    const report = JSON.parse(stdout) as DryRunReport;
    expect(report).toMatchObject({
      files: [
        { read: 3, taken: 1, skipped: 0, leftOutBy: { without_abstract: 2 }, texts: 3 },
        { read: 2, taken: 1, columns: { ignored: ['Notes'] }, texts: 2 },
      ],
      passedOver: [{ file: join(folder, 'README.md'), reason: 'note' }],
      filesRead: 2,
      filesPassedOver: 1,
      passedOverBy: { note: 1 },
      damaged: [],
      taken: 2,
      estimate: { texts: 5, diskBytes: 5 * 749, textsMeasured: 5 },
    });
    expect(report.estimate.textsPerSecond).toBeGreaterThan(0);
  });

  it('reads no more than the limit and exits like the build', async () => {
    const { folder, args } = await inputFolder();
    const { stdout } = await runCommand([...args, '--limit', '1', '--json']);
    const report = JSON.parse(stdout) as DryRunReport;
    expect(report).toMatchObject({ taken: 1, files: [{ read: 1 }] });
    await runCommand([...args, '--strict'], { code: 1 });
    await writeFiles(folder, { 'c.gz': Buffer.from([0x1f, 0x8b, 8, 0, 1]) });
    const { stderr } = await runCommand(args, { code: 1 });
    expect(stderr).toContain('1 of 3 files could not be read');
  });

  it('writes all files that would be passed over, and the bad records, to a file', async () => {
    const { folder, args } = await inputFolder();
    const pictures = Array.from({ length: 30 }, (_, at) => [`p${at}.png`, 'PNG'] as const);
    await writeFiles(folder, Object.fromEntries([...pictures, ['bad.jsonl.gz', 'no gzip']]));
    const skipped = join(await scratchFolder(), 'skipped.jsonl');
    await writeFiles(join(skipped, '..'), { 'skipped.jsonl': 'from before' });
    await runCommand([...args, '--skipped', skipped]);
    const lines = (await readFile(skipped, 'utf8')).replaceAll(`${folder}/`, '').trim().split('\n');
    const found = lines.map((line) => JSON.parse(line) as SkippedLine);
    expect(found.map(({ file, reason }) => [file, reason]).sort()).toEqual(
      [
        ['a.jsonl', 'without_id'],
        ['README.md', 'note'],
        ['bad.jsonl.gz', 'unknown_format'],
        ...pictures.map(([name]) => [name, 'unknown_format']),
      ].sort(),
    );
    expect(found.find(({ file }) => file === 'a.jsonl')).toMatchObject({
      line: 3,
      raw: JSON.stringify(PAPERS[2]),
    });
  });

  it('succeeds without any record', async () => {
    const { folder } = await inputFolder();
    const args = ['index', 'add', join(folder, 'README.md'), '--format', 'bibtex', '--dry-run'];
    const { stdout } = await runCommand(args);
    expect(stdout).toContain('0 records would be taken, with 0 titles and sentences\n');
  });
});
