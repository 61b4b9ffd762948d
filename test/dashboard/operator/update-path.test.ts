import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { resolveUpdatePath } from '../../../src/dashboard/operator/page/update-path.ts';
import { assertWithin } from '../../../src/ingest/read/assert-within.ts';
import { listFiles } from '../../../src/ingest/read/list-files.ts';
import { temporaryFolder } from '../../support/accounts.ts';

const folder = temporaryFolder();
const top = join(folder, 'updates');

beforeAll(() => {
  mkdirSync(join(top, 'new', 'deep'), { recursive: true });
  mkdirSync(join(folder, 'updates-of-others'));
  writeFileSync(join(folder, 'secret.jsonl'), '{}');
  writeFileSync(join(top, 'new', 'a[1]*.jsonl'), '{}');
  writeFileSync(join(top, '-rf'), '{}');
  symlinkSync(join(folder, 'secret.jsonl'), join(top, 'out'));
  symlinkSync(folder, join(top, 'up'));
  symlinkSync('new', join(top, 'latest'));
});

describe('the path of an update', () => {
  it.each([
    ['', ''],
    ['new', 'new'],
    ['./new/', 'new'],
    ['new/deep', 'new/deep'],
    ['new/a[1]*.jsonl', 'new/a[1]*.jsonl'],
    ['-rf', '-rf'],
    ['latest', 'new'],
  ])('%j is within the folder', async (path, real) => {
    expect(await resolveUpdatePath(top, path)).toBe(join(top, real));
  });

  it.each([
    ['..', 'must not contain ..'],
    ['../secret.jsonl', 'must not contain ..'],
    ['new/../../secret.jsonl', 'must not contain ..'],
    ['new/..', 'must not contain ..'],
    ['/etc/passwd', 'without a slash'],
    ['out', 'leads out'],
    ['up', 'leads out'],
    ['up/secret.jsonl', 'leads out'],
    ['up/updates-of-others', 'leads out'],
    ['%2e%2e/secret.jsonl', 'there is no'],
    ['..%2fsecret.jsonl', 'there is no'],
    ['..\\secret.jsonl', 'there is no'],
    ['new/*', 'there is no'],
    ['--db=x', 'there is no'],
    ['-', 'there is no'],
    ['new\nx', 'enter the name'],
    ['new\u0000', 'enter the name'],
    ['x'.repeat(2_000), 'enter the name'],
  ])('%j is not', async (path, why) => {
    await expect(resolveUpdatePath(top, path)).rejects.toMatchObject({
      code: 'invalid_field',
      message: expect.stringContaining(why),
    });
  });

  it('is nowhere if the folder is gone', async () => {
    await expect(resolveUpdatePath(join(folder, 'none'), '')).rejects.toThrow('cannot be read');
  });
});

describe('the files of a folder', () => {
  it('are refused if a link leads out', async () => {
    const files = await listFiles([top]);
    expect(() => assertWithin(top, files)).toThrow(`leads out of ${top}`);
    expect(() => assertWithin(folder, files)).not.toThrow();
  });
});
