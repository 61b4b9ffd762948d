import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findSettingsFile } from '../../src/settings/find-settings-file.ts';

const top = mkdtempSync(join(tmpdir(), 'verbatim-settings-'));
afterAll(() => rmSync(top, { recursive: true }));

const user = process.geteuid?.() ?? 0;
const isRoot = user === 0;

/** A folder of its own, with files by name. */
function folderWith(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(top, 'folder-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

function find(folder: string, named?: string, systemPath = join(folder, 'system.conf')) {
  return findSettingsFile({
    named: named === undefined ? undefined : { path: named, by: '--config' },
    folder,
    systemPath,
    user,
  });
}

describe('findSettingsFile', () => {
  it('reads one file: the named one, else that of the folder, else that of the system', () => {
    const folder = folderWith({
      'my.conf': 'named',
      'verbatim.conf': 'local',
      'system.conf': 'system',
    });
    const textOf = (found: ReturnType<typeof find>) => found && Buffer.from(found.bytes).toString();
    expect(textOf(find(folder, join(folder, 'my.conf')))).toBe('named');
    expect(textOf(find(folder))).toBe('local');
    rmSync(join(folder, 'verbatim.conf'));
    expect(find(folder)).toMatchObject({ path: join(folder, 'system.conf') });
    expect(textOf(find(folder))).toBe('system');
    expect(find(folder, undefined, join(folder, 'my.conf', 'not a folder'))).toBeUndefined();
    expect(find(folder, 'none')).toBeUndefined();
  });

  it('refuses a named file that is missing', () => {
    const path = join(folderWith(), 'no.conf');
    expect(() => find(top, path)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `there is no settings file ${path}; --config names it`,
      }),
    );
  });

  it('refuses what is no file, without waiting for a pipe', () => {
    const folder = folderWith();
    mkdirSync(join(folder, 'verbatim.conf'));
    expect(() => find(folder)).toThrow(`${join(folder, 'verbatim.conf')} is not a file`);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(() => find(folder, join(folder, 'pipe'))).toThrow('pipe is not a file');
  });

  it('refuses a file that is too long for settings', () => {
    const folder = folderWith({ 'verbatim.conf': '#'.repeat(1024 * 1024 + 1) });
    expect(() => find(folder)).toThrow('verbatim.conf is longer than 1048576 bytes');
  });

  it.skipIf(isRoot)('refuses a file that this user may not read', () => {
    const folder = folderWith({ 'system.conf': '' });
    chmodSync(join(folder, 'system.conf'), 0);
    expect(() => find(folder)).toThrow(
      `cannot read the settings file ${join(folder, 'system.conf')}: this user may not; ` +
        'run this as its owner, or use --config none',
    );
  });

  it('refuses a loop of links in one line', () => {
    const folder = folderWith();
    symlinkSync('verbatim.conf', join(folder, 'verbatim.conf'));
    expect(() => find(folder)).toThrow(/^cannot read the settings file .*: ELOOP/);
  });

  it('refuses a file of the folder that every user can change, unless it is named', () => {
    const folder = folderWith({ 'verbatim.conf': 'A=1' });
    const path = join(folder, 'verbatim.conf');
    chmodSync(path, 0o666);
    expect(() => find(folder)).toThrow(
      `${path} belongs to another user, or every user can change it; ` +
        `if you trust it, use --config ${path}, else --config none`,
    );
    expect(find(folder, path)).toMatchObject({ isOpenToOthers: true });
  });

  it.runIf(isRoot)('refuses a file of the folder that belongs to another user', () => {
    const folder = folderWith({ 'verbatim.conf': 'A=1' });
    const path = join(folder, 'verbatim.conf');
    chownSync(path, 65_534, 65_534);
    expect(() => find(folder)).toThrow('belongs to another user');
    expect(find(folder, path)).toMatchObject({ path });
  });

  it('accepts a file of the folder that belongs to root', () => {
    const folder = folderWith({ 'verbatim.conf': 'A=1' });
    const places = { named: undefined, folder, systemPath: '', user: user + 1 };
    if (isRoot) expect(findSettingsFile(places)).toBeDefined();
    else expect(() => findSettingsFile(places)).toThrow('belongs to another user');
  });

  it.each([
    [0o600, false],
    [0o400, false],
    // The group of a file of root was chosen.
    [0o640, !isRoot],
    [0o660, true],
    [0o604, true],
    [0o602, true],
  ])('knows of mode %o whether the file is open to others: %s', (mode, isOpenToOthers) => {
    const folder = folderWith({ 'my.conf': '' });
    chmodSync(join(folder, 'my.conf'), mode);
    expect(find(folder, join(folder, 'my.conf'))).toMatchObject({ isOpenToOthers });
  });
});
