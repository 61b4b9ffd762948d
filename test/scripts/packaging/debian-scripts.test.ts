/** What the scripts of the Debian package do, where /etc and /var are folders of the test. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const scripts = resolve(import.meta.dirname, '../../../scripts/packaging/debian');
const unshare = ['--user', '--map-root-user', '--mount'];
const canUnshare = spawnSync('unshare', [...unshare, 'true']).status === 0;
const units = 'etc/systemd/system';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verbatim-debian-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of [
    ...['etc/verbatim/verbatim.conf', 'etc/verbatim/verbatim.caddyfile', 'etc/other.conf'],
    ...['var/lib/verbatim/verbatim.db', 'var/cache/verbatim/v-1/part'],
    ...[`${units}/verbatim.service.d/init.conf`, `${units}/verbatim.service`],
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  for (const [wants, unit] of [
    ['multi-user', 'verbatim.service'],
    ['multi-user', 'other.service'],
    ['timers', 'verbatim-backup.timer'],
  ]) {
    mkdirSync(join(folder, units, `${wants}.target.wants`), { recursive: true });
    symlinkSync(`/usr/lib/${unit}`, join(folder, units, `${wants}.target.wants`, String(unit)));
  }
});

/** Runs a script as dpkg does; returns what it printed. There is no systemd. */
function runScript(name: string, action: string): string {
  const commands = `mount --bind "${folder}/etc" /etc && mount --bind "${folder}/var" /var &&
    mount -t tmpfs run /run && exec sh "${join(scripts, name)}" ${action}`;
  return execFileSync('unshare', [...unshare, 'sh', '-c', commands], { encoding: 'utf8' });
}

function files(): string[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true });
  return paths
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

describe.skipIf(!canUnshare)('a script of the package', () => {
  it('names a unit in /etc that hides that of the package', () => {
    expect(runScript('postinst', 'configure')).toContain(
      `/${units}/verbatim.service hides the unit`,
    );
    rmSync(join(folder, units, 'verbatim.service'));
    expect(runScript('postinst', 'configure')).toBe('');
  });

  it('switches off what the operator has enabled before the program goes, and at no upgrade', () => {
    const before = files();
    runScript('prerm', 'upgrade');
    expect(files()).toEqual(before);
    runScript('prerm', 'remove');
    const gone = [
      'multi-user.target.wants/verbatim.service',
      'timers.target.wants/verbatim-backup.timer',
    ];
    expect(files()).toEqual(before.filter((path) => !gone.some((end) => path.endsWith(end))));
  });

  it('removes nothing but the program if the package is removed', () => {
    const before = files();
    expect(runScript('postrm', 'remove')).toBe('');
    expect(files()).toEqual(before);
  });

  it('removes settings at a purge, keeps the database, and lists what stays', () => {
    runScript('prerm', 'remove');
    expect(runScript('postrm', 'purge')).toBe(`verbatim: removed /etc/verbatim/verbatim.conf
verbatim: removed /etc/verbatim/verbatim.caddyfile
verbatim: removed /etc/systemd/system/verbatim.service.d/init.conf
verbatim: /etc/systemd/system/verbatim.service stays; remove it if you no longer need it
verbatim: /var/lib/verbatim stays; remove it if you no longer need it
`);
    expect(files()).toEqual([
      'etc/other.conf',
      `${units}/multi-user.target.wants/other.service`,
      `${units}/verbatim.service`,
      'var/lib/verbatim/verbatim.db',
    ]);
  });
});
