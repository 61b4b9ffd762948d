/** `verbatim uninstall` in namespaces in which /etc, /var/lib, /var/cache and /run are folders of the test. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { startService } from '../support/service.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

const top = temporaryFolder();
const unshare = ['unshare', '--user', '--map-root-user', '--mount'];
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0;
const skipped = canUnshare ? '' : ' (skipped: no namespaces here)';
/** What is left to find after the file that the variable names. */
const env = { VERBATIM_CONFIG: '' };

const units = [
  ...['.service', '-backup.service', '-backup.timer', '-index-add.service', '-index-add.timer'],
  ...['-index-pull.service', '-index-pull.timer'],
];

/** A machine that init has set up, with a systemctl that notes what it is asked to do. */
async function newMachine(): Promise<{ folder: string; through: string[] }> {
  const folder = mkdtempSync(join(top, 'machine-'));
  const folders = ['etc/systemd/system', 'lib', 'cache/verbatim', 'run/systemd/system', 'bin'];
  for (const name of [...folders, 'program']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'node'), '');
  writeFileSync(join(folder, 'bin/systemctl'), '#!/bin/sh\necho "$*" >>/mnt/asked\n');
  chmodSync(join(folder, 'bin/systemctl'), 0o755);
  const mount = `for name in lib cache; do mount --bind "${folder}/$name" /var/$name || exit; done
    mount --bind "${folder}/etc" /etc && mount --bind "${folder}/run" /run &&
    mount --bind "${process.execPath}" "${folder}/node" &&
    mount --bind "${dirname(bundlePath())}" "${folder}/program" &&
    mount --rbind "${folder}" /mnt && cd /mnt && shift 2 && export PATH=/mnt/bin:$PATH &&
    exec /mnt/node /mnt/program/verbatim.js "$@"`;
  const through = [...unshare, 'sh', '-c', mount, 'sh'];
  const init = ['init', '--yes', '--systemd', '--nginx', 'search.example.org'];
  await runVerbatim(init, { env, through });
  for (const name of ['v-0123456789abcdef01234567', 'v-mine', 'other']) {
    mkdirSync(join(folder, 'cache/verbatim', name));
  }
  writeFileSync(join(folder, 'lib/verbatim/verbatim.db.before-0.1.0'), '');
  writeFileSync(join(folder, 'lib/verbatim/verbatim.dbase'), '');
  mkdirSync(join(folder, 'lib/verbatim/backups'));
  return { folder, through };
}

/** All paths below the folders that the commands see. */
function pathsIn(folder: string): string[] {
  return ['etc', 'lib', 'cache'].flatMap((name) =>
    (readdirSync(join(folder, name), { recursive: true }) as string[])
      .map((path) => `${name}/${path}`)
      .sort(),
  );
}

describe.skipIf(!canUnshare)(`verbatim uninstall${skipped}`, () => {
  it('lists what is left, and removes nothing', async () => {
    const { folder, through } = await newMachine();
    const before = pathsIn(folder);
    for (const options of [[], ['--with-data']]) {
      const { stdout } = await runVerbatim(['uninstall', ...options], { env, through });
      const left = [...stdout.matchAll(/^ {2}(\w+) +left (\S+)$/gm)].map(([, what, path]) => [
        what,
        path,
      ]);
      expect(left).toEqual([
        ['settings', '/etc/verbatim/verbatim.conf'],
        ['proxy', '/etc/verbatim/verbatim.nginx.conf'],
        ...units.map((name) => ['systemd', `/etc/systemd/system/verbatim${name}`]),
        ['program', '/var/cache/verbatim/v-0123456789abcdef01234567'],
        ...['', '.before-0.1.0'].map((end) => ['database', `/var/lib/verbatim/verbatim.db${end}`]),
      ]);
    }
    expect(pathsIn(folder)).toEqual(before);
    expect(existsSync(join(folder, 'asked'))).toBe(false);
  });

  it('removes all but the database with --yes, and the database with --with-data', async () => {
    const { folder, through } = await newMachine();
    const { stdout } = await runVerbatim(['uninstall', '--yes'], { env, through });
    expect(stdout.match(/ removed /g)).toHaveLength(10);
    expect(stdout).toContain('left /var/lib/verbatim/verbatim.db\n');
    expect(stdout).toContain('--yes --with-data');
    const foreign = ['cache/verbatim', 'cache/verbatim/other', 'cache/verbatim/v-mine'];
    expect(pathsIn(folder)).toEqual([
      ...['etc/systemd', 'etc/systemd/system', 'lib/verbatim', 'lib/verbatim/backups'],
      ...['lib/verbatim/verbatim.db', 'lib/verbatim/verbatim.db.before-0.1.0'],
      ...['lib/verbatim/verbatim.dbase', ...foreign],
    ]);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(`disable --now verbatim.service
disable --now verbatim-backup.timer
disable --now verbatim-index-add.timer
disable --now verbatim-index-pull.timer
daemon-reload
`);
    // Without its settings, the database has to be named.
    const args = ['uninstall', '--yes', '--with-data', '--db', '/var/lib/verbatim/verbatim.db'];
    await runVerbatim(args, { env, through });
    const left = ['lib/verbatim', 'lib/verbatim/backups', 'lib/verbatim/verbatim.dbase'];
    expect(pathsIn(folder)).toEqual(['etc/systemd', 'etc/systemd/system', ...left, ...foreign]);
    expect((await runVerbatim(args, { env, through })).stdout).toBe('Nothing is left.\n');
  });

  it('removes nothing while a server runs', async () => {
    const folder = mkdtempSync(join(top, 'served-'));
    const database = join(folder, 'v.db');
    await runVerbatim(['customer', 'add', 'ada@example.org', '--db', database]);
    const service = await startService(database);
    onTestFinished(async () => void (await service.end()));
    const args = ['uninstall', '--yes', '--with-data', '--db', database];
    // What this machine has itself must not be found.
    const hide =
      'for name in /etc /run /var/cache; do mount -t tmpfs t $name || exit; done; exec "$@"';
    const through = [...unshare, 'sh', '-c', hide, 'sh'];
    const { stderr } = await runVerbatim(args, { through, code: 1 });
    expect(stderr).toContain(`a server has ${database} open`);
    expect(existsSync(database)).toBe(true);
    await service.end();
    const { files } = await runJson<{ files: unknown[] }>(args, { through });
    expect(files).toContainEqual({ what: 'database', path: database, state: 'removed' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
