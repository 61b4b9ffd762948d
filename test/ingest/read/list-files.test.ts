import { execFileSync } from 'node:child_process';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { excluding } from '../../../src/ingest/read/exclude.ts';
import { type Input, isFile } from '../../../src/ingest/read/input.ts';
import { listFiles } from '../../../src/ingest/read/list-files.ts';
import { scratchFolder } from '../index-files.ts';

describe('listFiles', () => {
  it('walks a folder in the order of the names and leaves out what is hidden', async () => {
    const names = ['b.jsonl', 'a.jsonl', 'c/2.jsonl', 'c/10.jsonl', 'c/d/1', '.env', '.git/config'];
    const folder = await folderWith([...names, 'c/.hidden/x.jsonl', 'c/.x']);
    expect(await pathsOf([folder])).toEqual(
      ['a.jsonl', 'b.jsonl', 'c/10.jsonl', 'c/2.jsonl', 'c/d/1'].map((name) => join(folder, name)),
    );
  });

  it('keeps the order of the arguments, and a file that is named twice', async () => {
    const folder = await folderWith(['b', 'a', 'c/1']);
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    expect(await pathsOf([b, join(folder, 'c'), a, b])).toEqual([b, join(folder, 'c/1'), a, b]);
  });

  it('takes a hidden file that is named', async () => {
    const folder = await folderWith(['.a']);
    expect(await pathsOf([join(folder, '.a')])).toEqual([join(folder, '.a')]);
  });

  it('finds a hidden folder’s files where it is the one that is named', async () => {
    const folder = await folderWith(['.papers/a']);
    expect(await pathsOf([join(folder, '.papers')])).toEqual([join(folder, '.papers/a')]);
  });

  it('follows links to files', async () => {
    const folder = await folderWith(['papers/a', 'elsewhere/b']);
    await symlink(join(folder, 'elsewhere/b'), join(folder, 'papers/b'));
    expect(await pathsOf([join(folder, 'papers')])).toHaveLength(2);
  });

  it('finds nothing in an empty folder, and says so', async () => {
    const folder = await scratchFolder();
    expect(await listFiles([folder])).toEqual([
      { path: folder, passedOver: 'empty', why: 'there is nothing in it' },
    ]);
  });

  it('finds the files of a pattern in the order of their names', async () => {
    const folder = await folderWith(['b.gz', 'a.gz', 'c.txt', 'd/e.gz', '.f.gz', '*.md']);
    const found = async (pattern: string): Promise<string[]> =>
      (await pathsOf([join(folder, pattern)])).map((path) => relative(folder, path));
    expect(await found('*.gz')).toEqual(['a.gz', 'b.gz']);
    expect(await found('**/*.gz')).toEqual(['a.gz', 'b.gz', 'd/e.gz']);
    expect(await found('{c,x}.txt')).toEqual(['c.txt']);
    // A file that is named so comes before the pattern, and is taken whatever its name.
    expect(await found('*.md')).toEqual(['*.md']);
    await expect(found('*.xml')).rejects.toMatchObject({ code: 'unreadable_input' });
  });

  it('leaves standard input as it is', async () => {
    expect(await pathsOf(['-'])).toEqual(['-']);
  });

  it('names the path that is not there', async () => {
    const folder = await folderWith(['a']);
    const missing = join(folder, 'missing');
    await expect(listFiles([join(folder, 'a'), missing])).rejects.toMatchObject({
      code: 'unreadable_input',
      message: `cannot read ${missing}: ENOENT: no such file or directory`,
    });
  });

  it('refuses standard input twice', async () => {
    await expect(listFiles(['-', '-'])).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('what listFiles passes over in a folder', () => {
  it('is hidden, a note by its name, a pipe, or excluded', async () => {
    const notes = ['LICENSE', 'README', 'README.txt', '_SUCCESS', 'manifest', 'notes.md'];
    const folder = await folderWith([...notes, '.DS_Store', 'readmission.csv', 'x/a.pdf', 'y/z']);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await describeInputs(folder, ['*.pdf', 'y'])).toEqual([
      ...['.DS_Store hidden', 'LICENSE note', 'README note', 'README.txt note', '_SUCCESS note'],
      ...['manifest note', 'notes.md note', 'pipe not_a_file', 'readmission.csv'],
      ...['x/a.pdf excluded', 'y excluded'],
    ]);
  });

  it('are links that lead nowhere, to themselves, or to a folder that they are in', async () => {
    const folder = await folderWith(['papers/sub/a']);
    const papers = join(folder, 'papers');
    await symlink('nowhere', join(papers, 'dangling'));
    await symlink('circle', join(papers, 'circle'));
    await symlink('.', join(papers, 'here'));
    await symlink('../..', join(papers, 'sub/up'));
    await symlink('/', join(papers, 'sub/root'));
    expect(await describeInputs(papers)).toEqual([
      ...['circle dangling_link', 'dangling dangling_link', 'here loop'],
      ...['sub/a', 'sub/root loop', 'sub/up loop'],
    ]);
  });

  it('was met by another path: a folder, a file, a folder that is named again', async () => {
    const folder = await folderWith(['p/a', 'p/b/c', 'q/d']);
    await symlink('../q', join(folder, 'p/e'));
    await symlink('../p', join(folder, 'q/loop'));
    await link(join(folder, 'p/a'), join(folder, 'p/same'));
    expect(await describeInputs(join(folder, 'p'))).toEqual([
      ...['a', 'b/c', 'e/d', 'e/loop read_already', 'same read_already'],
    ]);
    const [p, q] = [join(folder, 'p'), join(folder, 'q')];
    expect((await listFiles([p, q, p])).slice(-2)).toEqual([
      { path: q, passedOver: 'read_already', why: `it is the same folder as ${join(p, 'e')}` },
      { path: p, passedOver: 'read_already', why: `it is the same folder as ${p}` },
    ]);
  });

  it('is no name in another encoding: that is an error', async () => {
    const folder = await scratchFolder();
    await writeFile(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), 'x');
    const path = join(folder, 'caf\u{fffd}');
    expect(await listFiles([folder])).toEqual([
      { path, unreadable: `cannot read ${path}: its name is not UTF-8; rename it` },
    ]);
  });

  it('is excluded by the whole path below the folder where the pattern has a slash', async () => {
    const folder = await folderWith(['old/a.gz', 'new/a.gz', 'new/old/a.gz', 'b.txt']);
    expect(await describeInputs(folder, ['./old/*', '*.txt'])).toEqual([
      ...['b.txt excluded', 'new/a.gz', 'new/old/a.gz', 'old/a.gz excluded'],
    ]);
    expect(await describeInputs(folder, ['**/old/**'])).toEqual([
      ...['b.txt', 'new/a.gz', 'new/old excluded', 'old excluded'],
    ]);
  });

  it('may also be named by the user, where that is a pattern to leave out', async () => {
    const folder = await folderWith(['a.gz', 'b.md']);
    const named = ['a.gz', 'b.md'].map((name) => join(folder, name));
    expect(await listFiles(named, excluding(['*.md']))).toEqual([
      { path: named[0], bytes: 0, isNamed: true },
      { path: named[1], passedOver: 'excluded', why: 'it is excluded' },
    ]);
  });
});

async function pathsOf(paths: readonly string[]): Promise<string[]> {
  return (await listFiles(paths)).filter(isFile).map(({ path }) => path);
}

/** Paths below the folder, with the reason for which they are passed over. */
async function describeInputs(folder: string, exclude: readonly string[] = []): Promise<string[]> {
  const inputs = await listFiles([folder], excluding(exclude));
  return inputs.map((input: Input) => {
    const path = relative(folder, input.path);
    return 'passedOver' in input ? `${path} ${input.passedOver}` : path;
  });
}

async function folderWith(names: readonly string[]): Promise<string> {
  const folder = await scratchFolder();
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), '');
  }
  return folder;
}
