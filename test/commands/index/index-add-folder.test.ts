/** `verbatim index add folder/`: what it reads, what it passes over, and the reasons it prints. */
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { BuildReport } from '../../../src/commands/index/build-report.ts';
import {
  expectSound,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { runCommand } from '../../support/verbatim.ts';

const TIDES = { id: 'tides', title: 'Tides of a made-up bay', abstract: 'It rose. It fell.' };
const MOON = { id: 'moon', title: 'The moon over it', abstract: 'It shone.' };

/** A note that contains an entry: only its name shows that it is not a bibliography. */
const EXAMPLE = '# How to cite\n\n@article{us,\n  title = {Not a paper of the folder}\n}\n';

/** A folder with everything that lies about in folders, all of which can be read. */
async function mixedFolder(): Promise<{ folder: string; papers: string; database: string }> {
  const folder = await scratchFolder();
  const papers = join(folder, 'papers');
  await mkdir(join(papers, 'more'), { recursive: true });
  await mkdir(join(papers, '.git'));
  await writeFiles(papers, {
    'b.jsonl': jsonLines([{ ...TIDES, title: 'Tides, the newer text' }]),
    'a.jsonl.gz': gzipSync(jsonLines([TIDES, MOON])),
    'c.bib': '@article{sand,\n  title = {Sand on a shore that nobody knows},\n  year = 2020\n}\n',
    'README.md': EXAMPLE,
    LICENSE: 'Do as you like.',
    _SUCCESS: '',
    manifest: '{}',
    '.hidden': 'rubbish',
    'notes.txt': 'Not a paper.',
    'image.png': '\x89PNG\0\0',
    'nothing.jsonl': '',
    'figure.pdf': '%PDF-1.7',
  });
  await writeFile(join(papers, 'more/d.jsonl'), jsonLines([{ _id: 'e', text: 'It ebbed.' }]));
  await symlink('gone.jsonl', join(papers, 'dangling'));
  await symlink('..', join(papers, 'more/up'));
  await symlink('a.jsonl.gz', join(papers, 'same.gz'));
  execFileSync('mkfifo', [join(papers, 'pipe')]);
  return { folder, papers, database: join(folder, 'index.db') };
}

const UNKNOWN = 'no format recognizes it';

/** What is passed over and why, in order. */
const PASSED_OVER = [
  ...[
    ['.git', 'hidden'],
    ['.hidden', 'hidden'],
  ],
  ...['LICENSE', 'README.md', '_SUCCESS'].map((name) => [name, 'note']),
  ...[
    ['dangling', 'dangling_link'],
    ['figure.pdf', 'excluded'],
    ['image.png', 'unknown_format'],
  ],
  ...[
    ['manifest', 'note'],
    ['more/up', 'loop'],
    ['notes.txt', 'unknown_format'],
  ],
  ...[
    ['nothing.jsonl', 'empty'],
    ['pipe', 'not_a_file'],
    ['same.gz', 'read_already'],
  ],
];

const PASSED_OVER_BY = {
  hidden: 2,
  note: 4,
  dangling_link: 1,
  excluded: 1,
  unknown_format: 2,
  loop: 1,
  empty: 1,
  not_a_file: 1,
  read_already: 1,
};

describe('verbatim index add of a folder of mixed files', () => {
  it('reads known formats, names the files it passes over and why, and exits with 0', async () => {
    const { papers, database } = await mixedFolder();
    const args = ['index', 'add', papers, '--db', database, '--exclude', '*.pdf', '--json'];
    const { stdout, stderr } = await runCommand(args);
    const told = stderr.replaceAll(`${papers}/`, '');
    for (const file of ['a.jsonl.gz (verbatim)', 'c.bib (bibtex)', 'more/d.jsonl (beir)']) {
      expect(told).toContain(`reading ${file}\n`);
    }
    for (const [name] of PASSED_OVER) expect(told).toContain(`passing over ${name}: `);
    const report = JSON.parse(stdout) as BuildReport;
    expect(report).toMatchObject({ read: 5, added: 4, updated: 1, skipped: 0, filesRead: 4 });
    expect(report).toMatchObject({ filesFailed: 0, filesPassedOver: 14, damaged: [] });
    expect(report.passedOverBy).toEqual(PASSED_OVER_BY);
    const passedOver = report.passedOver.map(({ file, reason }) => [
      relative(papers, file),
      reason,
    ]);
    expect(passedOver).toEqual(PASSED_OVER);
    expect(readIndex(database).get('tides')?.title).toBe('Tides, the newer text');
    expectSound(database, { documents: 4, sentences: 4 });
  });

  it('exits with 1 if a file is damaged, after reading the others', async () => {
    const { papers, database } = await mixedFolder();
    const cut = gzipSync(jsonLines([TIDES, MOON])).subarray(0, -6);
    await writeFile(join(papers, 'a.jsonl.gz'), cut);
    // It opens, and fails when it is read: so does a bad sector.
    await symlink('/proc/self/mem', join(papers, 'bad-sector'));
    const args = ['index', 'add', papers, '--db', database];
    const { stdout, stderr } = await runCommand([...args, '--json'], { code: 1 });
    const report = JSON.parse(stdout) as BuildReport;
    expect(report).toMatchObject({ filesFailed: 2, filesRead: 3, added: 4 });
    expect(report.damaged).toEqual([
      {
        file: join(papers, 'a.jsonl.gz'),
        why: `${join(papers, 'a.jsonl.gz')} breaks off: unexpected end of file`,
      },
      { file: join(papers, 'bad-sector'), why: expect.stringContaining('EIO: i/o error') },
    ]);
    expect(stderr).toContain('2 of 5 files could not be read');
  });

  it('exits with 1 with --strict if a file was passed over, unless it was excluded', async () => {
    const { papers, database } = await mixedFolder();
    const args = ['index', 'add', papers, '--db', database, '--strict', '--exclude'];
    const { stderr } = await runCommand([...args, '*.pdf'], { code: 1 });
    expect(stderr).toContain('verbatim: 13 files were passed over');
    const patterns = ['.*', 'LICENSE', 'README.md', '_SUCCESS', 'dangling', '*.p*', 'manifest'];
    const others = ['up', 'notes.txt', 'nothing.jsonl', 'same.gz', 'pipe'];
    const excludes = [...patterns, ...others].flatMap((pattern) => ['--exclude', pattern]);
    await runCommand([...args.slice(0, -1), ...excludes]);
  });

  it('fails for a named file of no known format, even if it is a note', async () => {
    const { papers, database } = await mixedFolder();
    const named = ['notes.txt', 'LICENSE', 'b.jsonl'].map((name) => join(papers, name));
    const args = ['index', 'add', ...named, '--db', database];
    const { stderr } = await runCommand(args, { code: 1 });
    for (const path of named.slice(0, 2)) {
      expect(stderr).toContain(`\ncannot index ${path}: ${UNKNOWN}\n`);
    }
    expect(stderr).toContain('2 of 3 files could not be read');
  });

  it('names the first passed-over files and counts the others', async () => {
    const { folder, database } = await mixedFolder();
    const [empty, many] = [join(folder, 'empty'), join(folder, 'many')] as const;
    await mkdir(empty);
    await mkdir(many);
    const names = Array.from({ length: 199 }, (_, i) => [`${i}.md`, '']);
    await writeFiles(many, Object.fromEntries(names));
    const args = ['index', 'add', empty, many, '--db', database, '--json'];
    const { stdout, stderr } = await runCommand(args);
    expect(stderr.match(/^passing over /gm)).toHaveLength(20);
    expect(stderr).toContain(`passing over ${empty}: there is nothing in it\n`);
    expect(stderr).toContain('\nfurther files that are passed over are only counted\n');
    const report = JSON.parse(stdout) as BuildReport;
    expect(report.filesPassedOver).toBe(200);
    expect(report.passedOver).toHaveLength(100);
  });
});
