/** `verbatim init` as root, in namespaces in which /etc and /var/lib are empty folders of the test. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { runVerbatim } from '../../support/verbatim.ts';

const top = mkdtempSync(join(tmpdir(), 'verbatim-root-'));
afterAll(() => rmSync(top, { recursive: true }));

const unshare = ['unshare', '--user', '--map-root-user', '--mount'];
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0;
const skipped = canUnshare ? '' : ' (skipped: no namespaces here)';

interface Machine {
  folder: string;
  /** What a command is to be started through. */
  through: string[];
}

/** A machine with or without systemd. The program lies in /mnt, which a service can see. */
function newMachine({ hasSystemd = true, hasPackage = false } = {}): Machine {
  const folder = mkdtempSync(join(top, 'machine-'));
  for (const name of ['etc', 'lib', 'program', 'units']) mkdirSync(join(folder, name));
  if (hasPackage) writeFileSync(join(folder, 'units/verbatim.service'), '');
  if (hasSystemd) mkdirSync(join(folder, 'etc/systemd/system'), { recursive: true });
  writeFileSync(join(folder, 'node'), '');
  const mount = `mount --bind "${folder}/etc" /etc && mount --bind "${folder}/lib" /var/lib &&
    mount --bind "${folder}/units" /usr/lib/systemd/system &&
    mount --bind "${process.execPath}" "${folder}/node" &&
    mount --bind "${dirname(bundlePath())}" "${folder}/program" &&
    mount --rbind "${folder}" /mnt && cd /mnt && shift 2 &&
    exec /mnt/node /mnt/program/verbatim.js "$@"`;
  return { folder, through: [...unshare, 'sh', '-c', mount, 'sh'] };
}

describe.skipIf(!canUnshare)(`verbatim init as root${skipped}`, () => {
  // An empty name counts as unset: the machine's own settings file is found.
  const env = { VERBATIM_CONFIG: '' };

  it('sets the machine up with a unit, and commands then find the settings', async () => {
    const { folder, through } = newMachine();
    const init = ['init', '--yes', '--systemd', '--caddy', 'search.example.org'];
    const { stdout, stderr } = await runVerbatim(init, { env, through });
    expect(stderr).toMatch(/^As root, .*\/etc\/verbatim\/verbatim\.conf .*--config and --db\.$/m);
    const names = ['', '-backup', '-index-add', '-index-pull'].map((name) => `verbatim${name}`);
    const timers = names.slice(1).map((name) => `${name}.timer`);
    const units = [...names.map((name) => `${name}.service`), ...timers];
    for (const path of [
      ...['/etc/verbatim/verbatim.conf', '/var/lib/verbatim/verbatim.db'],
      ...units.map((name) => `/etc/systemd/system/${name}`),
      '/etc/verbatim/verbatim.caddyfile',
    ]) {
      expect(stdout).toMatch(new RegExp(` written ${path}$`, 'm'));
    }
    for (const next of [
      ...['index add PAPERS', 'enable --now verbatim', 'enable --now verbatim-backup.timer'],
      'import /etc/verbatim/verbatim.caddyfile',
    ]) {
      expect(stdout).toContain(`${next}\n`);
    }
    const unit = readFileSync(join(folder, 'etc/systemd/system/verbatim.service'), 'utf8');
    expect(unit).toContain('\nExecStart=/mnt/node /mnt/program/verbatim.js serve\n');
    expect(unit).toContain('\nLoadCredential=verbatim.conf:/etc/verbatim/verbatim.conf\n');
    expect(statSync(join(folder, 'etc/verbatim/verbatim.conf')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'lib/verbatim')).mode & 0o777).toBe(0o700);

    const listed = await runVerbatim(['customer', 'list'], { env, through });
    expect(listed.stdout).toContain('first-customer@localhost');
    const again = await runVerbatim(init, { env, through });
    expect(again.stdout.match(/ kept /g)).toHaveLength(10);
  });

  it('starts the single file by its path', async () => {
    const { folder, through } = newMachine();
    const path = join(folder, 'etc/systemd/system/verbatim.service');
    for (const [program, file, start] of [
      ['/opt/verbatim', '/opt/verbatim', '/opt/verbatim serve'],
      ['./node', '/mnt/./node', '/mnt/node serve'],
      ['verbatim', '/usr/local/bin/verbatim', '/usr/local/bin/verbatim serve'],
    ]) {
      rmSync(path, { force: true });
      const single = { ...env, VERBATIM_PROGRAM: program ?? '', VERBATIM_FILE: file ?? '' };
      const { stdout } = await runVerbatim(['init', '--yes', '--systemd'], {
        env: single,
        through,
      });
      expect(readFileSync(path, 'utf8')).toContain(`\nExecStart=${start}\n`);
      expect(stdout).toContain(`  Build an index  ${program} index add PAPERS\n`);
    }
  });

  it('says where it writes before it refuses, asks, or writes', async () => {
    const { folder, through } = newMachine();
    writeFileSync(join(folder, 'etc/verbatim'), 'in the way');
    const { stderr } = await runVerbatim(['init', '--yes'], { env, through, code: 1 });
    expect(stderr).toMatch(
      /^As root, init sets up the machine, .*\nverbatim: cannot write \/etc\/verbatim\/verbatim\.conf/m,
    );
    const args = ['init', '--yes', '--config', 'my.conf', '--db', 'my.db'];
    expect((await runVerbatim(args, { env, through })).stderr).not.toContain('As root');
    const half = await runVerbatim(['init', '--yes', '--config', 'other.conf'], { env, through });
    expect(half.stderr).toContain(' wherever it is called: /var/lib/verbatim/verbatim.db. ');
  });

  describe('with the Debian package', () => {
    const asPackage = { ...env, VERBATIM_PROGRAM: 'verbatim', VERBATIM_FILE: '/usr/bin/verbatim' };
    const init = ['init', '--yes', '--systemd'];

    it('uses its unit and writes none that would hide it', async () => {
      const { folder, through } = newMachine({ hasPackage: true });
      const { stdout } = await runVerbatim(init, { env: asPackage, through });
      expect(stdout).toContain('  systemd unit  kept /usr/lib/systemd/system/verbatim.service\n');
      expect(readdirSync(join(folder, 'etc/systemd/system'))).toEqual([]);
    });

    it('adds what a port below 1024 needs', async () => {
      const { folder, through } = newMachine({ hasPackage: true });
      await runVerbatim([...init, '--port', '443'], { env: asPackage, through });
      const added = readFileSync(
        join(folder, 'etc/systemd/system/verbatim.service.d/init.conf'),
        'utf8',
      );
      expect(added).toBe(`[Service]
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE
PrivateUsers=no
`);
    });

    it.each([
      ['another program', { VERBATIM_FILE: '/opt/verbatim' }, [], 'run init with that program'],
      ['other settings', {}, ['--config', '/etc/my.conf'], 'not /etc/my.conf'],
    ])('refuses %s, which its unit would not start', async (_what, other, options, reason) => {
      const { folder, through } = newMachine({ hasPackage: true });
      const runOptions = { env: { ...asPackage, ...other }, through, code: 2 };
      expect((await runVerbatim([...init, ...options], runOptions)).stderr).toContain(reason);
      expect(readdirSync(join(folder, 'etc'))).toEqual(['systemd']);
    });

    it('refuses to go on while a unit in /etc hides it', async () => {
      const { folder, through } = newMachine({ hasPackage: true });
      writeFileSync(join(folder, 'etc/systemd/system/verbatim.service'), '');
      const { stderr } = await runVerbatim(init, { env: asPackage, through, code: 2 });
      expect(stderr).toContain('/etc/systemd/system/verbatim.service hides the unit');
    });
  });

  it('refuses a unit that could not work', async () => {
    const { folder, through } = newMachine();
    const args = ['init', '--yes', '--systemd', '--db', '/mnt/my.db'];
    const { stderr } = await runVerbatim(args, { env, through, code: 2 });
    expect(stderr).toContain('in /var/lib/verbatim, not at /mnt/my.db\n');
    expect(existsSync(join(folder, 'etc/verbatim'))).toBe(false);

    const without = newMachine({ hasSystemd: false }).through;
    const refused = await runVerbatim(['init', '--yes', '--systemd'], {
      env,
      through: without,
      code: 2,
    });
    expect(refused.stderr).toContain('no /etc/systemd/system\n');
  });
});
