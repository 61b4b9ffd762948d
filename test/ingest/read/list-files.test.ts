import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from '../../../src/ingest/read/list-files.ts';
import { scratchFolder } from '../index-files.ts';

describe('listFiles', () => {
  it('walks a folder in the order of the names and leaves out what is hidden', async () => {
    const names = ['b.jsonl', 'a.jsonl', 'c/2.jsonl', 'c/10.jsonl', 'c/d/1', '.env', '.git/config'];
    const folder = await folderWith([...names, 'c/.hidden/x.jsonl', 'c/.x']);
    expect(await listFiles([folder])).toEqual(
      ['a.jsonl', 'b.jsonl', 'c/10.jsonl', 'c/2.jsonl', 'c/d/1'].map((name) => join(folder, name)),
    );
  });

  it('keeps the order of the arguments, and a file that is named twice', async () => {
    const folder = await folderWith(['b', 'a', 'c/1']);
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    expect(await listFiles([b, join(folder, 'c'), a, b])).toEqual([b, join(folder, 'c/1'), a, b]);
  });

  it('takes a hidden file that is named', async () => {
    const folder = await folderWith(['.a']);
    expect(await listFiles([join(folder, '.a')])).toEqual([join(folder, '.a')]);
  });

  it('finds a hidden folder’s files where it is the one that is named', async () => {
    const folder = await folderWith(['.papers/a']);
    expect(await listFiles([join(folder, '.papers')])).toEqual([join(folder, '.papers/a')]);
  });

  it('follows links to files', async () => {
    const folder = await folderWith(['papers/a', 'elsewhere/b']);
    await symlink(join(folder, 'elsewhere/b'), join(folder, 'papers/b'));
    expect(await listFiles([join(folder, 'papers')])).toHaveLength(2);
  });

  it('finds nothing in an empty folder', async () => {
    expect(await listFiles([await scratchFolder()])).toEqual([]);
  });

  it('finds the files of a pattern in the order of their names', async () => {
    const folder = await folderWith(['b.gz', 'a.gz', 'c.txt', 'd/e.gz', '.f.gz', '*.md']);
    const found = async (pattern: string): Promise<string[]> =>
      (await listFiles([join(folder, pattern)])).map((path) => relative(folder, path));
    expect(await found('*.gz')).toEqual(['a.gz', 'b.gz']);
    expect(await found('**/*.gz')).toEqual(['a.gz', 'b.gz', 'd/e.gz']);
    expect(await found('{c,x}.txt')).toEqual(['c.txt']);
    // A file that is named so comes before the pattern.
    expect(await found('*.md')).toEqual(['*.md']);
    await expect(found('*.xml')).rejects.toMatchObject({ code: 'unreadable_input' });
  });

  it('leaves standard input as it is', async () => {
    expect(await listFiles(['-'])).toEqual(['-']);
  });

  it('names the path that is not there', async () => {
    const folder = await folderWith(['a']);
    const missing = join(folder, 'missing');
    await expect(listFiles([join(folder, 'a'), missing])).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining(`cannot read ${missing}: ENOENT`),
    });
  });
});

async function folderWith(names: readonly string[]): Promise<string> {
  const folder = await scratchFolder();
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), '');
  }
  return folder;
}
