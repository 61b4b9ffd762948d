/** The image as it is made, run by crun with a read-only root and as a user without rights. */
import { type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { packagedFolder } from './packaged.ts';

const USER = 10_001;
const top = resolve(import.meta.dirname, '../../..');
const packaging = join(top, 'scripts/packaging');
const name = `verbatim-test-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'verbatim-image-test-'));
const data = join(folder, 'data');

const needed = ['buildah', 'crun', 'unshare', 'xz'].filter(
  (one) => spawnSync(one, ['--version']).error,
);
const missing = process.getuid?.() === 0 ? needed : [...needed, 'root'];
const skipped = missing.length > 0 ? ` (skipped: ${missing.join(', ')} is missing)` : '';

interface ImageConfig {
  architecture: string;
  config: {
    User: string;
    Env: string[];
    Entrypoint: string[];
    Cmd: string[];
    WorkingDir: string;
    Volumes: Record<string, object>;
    Healthcheck: { Test: string[] };
  };
}
let image: ImageConfig;

beforeAll(async () => {
  if (skipped !== '') return;
  const file = join(await packagedFolder(), 'verbatim-linux-x64');
  const quietly: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder };
  execFileSync('sh', [join(packaging, 'image.sh'), file, 'amd64', 'image.tar'], quietly);
  execFileSync('tar', ['-xf', 'image.tar'], quietly);
  const [manifest] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  image = JSON.parse(readFileSync(join(folder, manifest.Config), 'utf8'));
  mkdirSync(join(folder, 'rootfs'));
  for (const layer of manifest.Layers) {
    execFileSync('tar', ['-xf', layer, '-C', 'rootfs', '--numeric-owner'], quietly);
  }
  mkdirSync(data);
  chownSync(data, USER, USER);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(bundleOf(image)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What an engine makes of `docker run --read-only --cap-drop all`, on the machine's network. */
function bundleOf({ config }: ImageConfig): object {
  const [uid, gid] = config.User.split(':').map(Number);
  const [volume] = Object.keys(config.Volumes);
  const env = [
    ...config.Env,
    'VERBATIM_PORT=0',
    'VERBATIM_METRICS_PORT=0',
    'VERBATIM_SEARCH_THREADS=1',
    'VERBATIM_WARM_UP_SEARCHES=0',
    'VERBATIM_EMBED_THREADS=1',
  ];
  return {
    ociVersion: '1.0.2',
    root: { path: 'rootfs', readonly: true },
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...config.Cmd],
      env,
      cwd: config.WorkingDir,
      noNewPrivileges: true,
      capabilities: {},
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      { destination: volume, type: 'bind', source: data, options: ['rbind', 'rw'] },
    ],
    linux: { namespaces: [{ type: 'mount' }, { type: 'pid' }, { type: 'ipc' }, { type: 'uts' }] },
  };
}

/** crun wants cgroups of version 2 alone, whatever this machine has. */
const CRUN = `umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup &&
  exec crun --cgroup-manager=disabled --root ${join(folder, 'state')} "$@"`;
const crun = (...args: string[]) => ['-m', 'sh', '-c', CRUN, 'crun', ...args];

/** Runs a command in the container, as a user would with `docker exec`. */
function inContainer(command: string) {
  const args = crun('exec', '--user', `${USER}:${USER}`, name, '/bin/dash', '-c', command);
  return spawnSync('unshare', args, { encoding: 'utf8' });
}

it.skipIf(skipped !== '')(`is for a user without rights, and has a health check${skipped}`, () => {
  expect(image.architecture).toBe('amd64');
  expect(image.config).toMatchObject({
    User: `${USER}:${USER}`,
    Healthcheck: { Test: ['CMD', 'verbatim', 'health'] },
  });
});

it.skipIf(skipped !== '')(
  `serves with a read-only root, healthy, and stops${skipped}`,
  async () => {
    const child = spawn('unshare', crun('run', '--bundle', folder, name), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void spawnSync('unshare', crun('delete', '--force', name)));
    const exited = new Promise((done) => child.once('exit', done));
    let printed = '';
    const serving = new Promise((found) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (text) => {
          printed += text;
          if (/"event":"serving".*\n/.test(printed)) found(true);
        });
      }
    });
    expect(await Promise.race([serving, exited]), printed).toBe(true);
    const port = /"event":"serving".*?"port":(\d+)/.exec(printed)?.[1];
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    // The port of the test is not the one of the image.
    const health = inContainer(`VERBATIM_PORT=${port} verbatim health`);
    expect(health.status, health.stderr).toBe(0);
    expect(inContainer('echo > /opt/verbatim/x').stderr).toContain('Read-only file system');
    const audit = inContainer('verbatim credit audit');
    expect(audit.status, audit.stderr).toBe(0);
    spawnSync('unshare', crun('kill', name, 'TERM'));
    await exited;
    expect(printed).toContain('"event":"stopped"');
  },
);
