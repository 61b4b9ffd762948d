/** The binaries of uWebSockets.js as installed, and what becomes of one that cannot be prepared. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const top = resolve(import.meta.dirname, '../..');
const installed = join(top, 'node_modules/uWebSockets.js');
const PREPARE = join(top, 'scripts/uwebsockets/prepare.mjs');
/** Modules versions of Node 20, 22 and 24. */
const SUPPORTED = [115, 127, 137];
const binaries = readdirSync(installed).filter((name) => /^uws_linux_\w+\.node$/.test(name));

const folder = mkdtempSync(join(tmpdir(), 'verbatim-uwebsockets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function prepare(bytes: Buffer): { code: number | null; error: string; prepared: Buffer } {
  const path = join(folder, 'uws_linux_x64_115.node');
  writeFileSync(path, bytes);
  const { status, stderr } = spawnSync(process.execPath, [PREPARE, folder], { encoding: 'utf8' });
  return { code: status, error: stderr, prepared: readFileSync(path) };
}

/** The glibc versions that a library asks for, by Debian's own tool for such files. */
function glibcVersions(path: string): number[] {
  const text = execFileSync('readelf', ['--version-info', '--wide', path], { encoding: 'utf8' });
  return [...text.matchAll(/Name: GLIBC_2\.(\d+)/g)].map((match) => Number(match[1]));
}

describe('the installed binaries', () => {
  it.each(['x64', 'arm64'])('exist for each Node version on %s', (processor) => {
    for (const version of SUPPORTED) {
      expect(binaries).toContain(`uws_linux_${processor}_${version}.node`);
    }
  });

  it.each(binaries)(
    'include %s, which requires at most glibc 2.36 and does not name itself',
    (name) => {
      const versions = glibcVersions(join(installed, name));
      expect(Math.max(...versions)).toBe(36);
      expect(readFileSync(join(installed, name)).includes('uWebSockets/20 Server</i>\0')).toBe(
        false,
      );
    },
  );

  it('do not change when they are prepared again', () => {
    const path = join(folder, 'uws_linux_x64_115.node');
    copyFileSync(join(installed, 'uws_linux_x64_115.node'), path);
    const { code, prepared } = prepare(readFileSync(path));
    expect(code).toBe(0);
    expect(prepared.equals(readFileSync(join(installed, 'uws_linux_x64_115.node')))).toBe(true);
  });
});

describe('a binary that cannot be prepared', () => {
  const original = readFileSync(join(installed, 'uws_linux_x64_115.node'));

  it('is reported if another function requires a newer glibc', () => {
    const bytes = Buffer.from(original);
    // arc4random is of 2.36: as if that were 2.39.
    renameVersion(bytes, 'GLIBC_2.36', 'GLIBC_2.39');
    const { code, error, prepared } = prepare(bytes);
    expect(code).toBe(1);
    expect(error).toMatch(/^cannot prepare \S+: the library needs arc4random of GLIBC_2\.39, /);
    expect(prepared.equals(bytes)).toBe(true);
  });

  it('is reported if its error pages are different', () => {
    const bytes = Buffer.from(original);
    bytes.write('nonsense', bytes.indexOf('malformed HTTP request'), 'latin1');
    const { code, error } = prepare(bytes);
    expect(code).toBe(1);
    expect(error).toContain('the library does not have the page HTTP/1.1 400 Bad Request');
  });

  it('is left unchanged if it is not a library', () => {
    const { code, prepared } = prepare(Buffer.from('nothing of the kind'));
    expect(code).toBe(0);
    expect(prepared.toString()).toBe('nothing of the kind');
  });
});

function renameVersion(bytes: Buffer, from: string, to: string): void {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) {
    bytes.write(to, at, 'latin1');
  }
}
