import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeNewFile } from '../../../src/commands/setup/write-new-file.ts';

const top = mkdtempSync(join(tmpdir(), 'verbatim-write-'));
afterAll(() => rmSync(top, { recursive: true }));
const newFolder = (): string => mkdtempSync(join(top, 'folder-'));

it('writes a file with its folders and permissions, and leaves nothing else', () => {
  const folder = join(newFolder(), 'a', 'b');
  const path = join(folder, 'x.conf');
  expect(writeNewFile(path, 'text\n', 0o600)).toBe('written');
  expect(readFileSync(path, 'utf8')).toBe('text\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['x.conf']);
});

it('keeps what is there: a file, a folder, or a link to nothing', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'file'), 'mine');
  mkdirSync(join(folder, 'folder'));
  symlinkSync('nothing', join(folder, 'link'));
  for (const name of ['file', 'folder', 'link']) {
    expect(writeNewFile(join(folder, name), 'yours', 0o600)).toBe('kept');
  }
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine');
  expect(readdirSync(folder).sort()).toEqual(['file', 'folder', 'link']);
});

it('goes on after a run that was killed while it wrote', () => {
  const path = join(newFolder(), 'x.conf');
  writeFileSync(`${path}.partial`, 'half of a longer te');
  expect(writeNewFile(path, 'whole\n', 0o600)).toBe('written');
  expect(readFileSync(path, 'utf8')).toBe('whole\n');
});

function checkUnwritable(folder: string): void {
  const path = join(folder, 'sub', 'x.conf');
  expect(() => writeNewFile(path, '', 0o600)).toThrow(
    expect.objectContaining({
      code: 'unwritable_output',
      message: expect.stringMatching(new RegExp(`^cannot write ${path}: E[A-Z]+`)),
    }),
  );
}

it('says in one line that a folder is a file', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'sub'), '');
  checkUnwritable(folder);
});

it.skipIf(process.geteuid?.() === 0)('says in one line that a folder cannot be written', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'sub'), { mode: 0o500 });
  checkUnwritable(folder);
});
