/** The real single file, packed fast: it is made from the registry's packages and started. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Ran, runFile } from './run-file.ts';

const top = resolve(import.meta.dirname, '../../..');
const BYTES_MAX = 85e6;
const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const inputs = JSON.parse(readFileSync(join(top, 'scripts/packaging/inputs.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'verbatim-package-test-'));
const file = join(folder, 'verbatim-linux-x64');
const database = join(folder, 'v.db');

beforeAll(() => {
  const script = join(top, 'scripts/packaging/package.mjs');
  const options = ['--arch', 'x64', '--quick', '--debian', '--out', folder];
  execFileSync(process.execPath, [script, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasLintian = spawnSync('lintian', ['--version']).status === 0;

const env = { HOME: folder, VERBATIM_DB: database };
const run = (...args: string[]): Promise<Ran> => runFile(file, args, { env });

describe('the single file', () => {
  it('is within its bound', () => {
    expect(statSync(file).size).toBeLessThan(BYTES_MAX);
  });

  it('names its parts', async () => {
    const { stdout, stderr } = await run('--version', '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      version,
      node: inputs.node.x64.version,
      sqlite: expect.stringMatching(/^3\./),
      sqliteVec: expect.stringMatching(/^0\./),
      model: 'verbatim-MiniLM-L6',
    });
  });

  it('has the licenses of Node, and of everything that dist/ has', async () => {
    const namesIn = (text: string): string[] =>
      (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
    const names = namesIn((await run('licenses', '--json')).stdout);
    expect(names).toEqual(expect.arrayContaining(['Node.js', 'liblzma', 'better-sqlite3']));
    // Only version 12 of better-sqlite3 needs these.
    const others = ['bindings', 'file-uri-to-path'];
    const inDist = namesIn(readFileSync(join(top, 'dist/licenses.json'), 'utf8'));
    expect(inDist.filter((name) => !names.includes(name) && !others.includes(name))).toEqual([]);
  });

  it('starts, serves, answers its own health command, and searches', async () => {
    const server = spawn(file, ['start', '--port', '0', '--json'], {
      env: { PATH: '/usr/bin:/bin', ...env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    let hint = '';
    server.stdout.on('data', (text) => {
      hint += text;
    });
    const port = await new Promise((found, failed) => {
      server.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
      createInterface({ input: server.stderr }).on('line', (line) => {
        const entry = line.startsWith('{') ? JSON.parse(line) : {};
        if (entry.event === 'serving') found(entry.port);
      });
    });
    expect((await run('health', '--url', `http://127.0.0.1:${port}`)).stdout).toBe('ready\n');
    const { stdout } = await run('search', 'does sleep help memory', '--limit', '1', '--json');
    expect(JSON.parse(stdout).results[0].q).toContain('sleep');
    await expect.poll(() => hint).toContain(`${file} index add`);
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

describe('a later build, as of `npm run measure -- cluster`,', () => {
  it('leaves both files in dist/ and replaces everything else', () => {
    const dist = join(folder, 'dist');
    const made = ['verbatim-linux-x64', 'verbatim-linux-arm64', `verbatim_${version}_amd64.deb`];
    mkdirSync(join(dist, 'chunks'), { recursive: true });
    for (const name of [...made, 'cluster.js', 'chunks/old.js'])
      writeFileSync(join(dist, name), '');
    const target = { platform: 'linux', arch: process.arch, abi: process.versions.modules };
    const script = `import { buildInto } from ${JSON.stringify(join(top, 'build.mjs'))};
      await buildInto(${JSON.stringify(dist)}, ${JSON.stringify(target)});`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script]);
    const names = readdirSync(dist);
    expect(names).toEqual(expect.arrayContaining([...made, 'verbatim.js']));
    expect(names).not.toContain('cluster.js');
    expect(readdirSync(join(dist, 'chunks'))).not.toContain('old.js');
  });
});

describe('the Debian package', () => {
  const path = join(folder, `verbatim_${version}_amd64.deb`);

  it.skipIf(!hasLintian)('has nothing that lintian finds fault with', () => {
    const lintian = ['--allow-root', '--fail-on', 'error,warning', path];
    expect(execFileSync('lintian', lintian, { encoding: 'utf8' })).toBe('');
  });

  it('has the file, a unit, and names what it needs', () => {
    const list = execFileSync('dpkg-deb', ['--contents', path], { encoding: 'utf8' });
    expect(list).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/verbatim$/m);
    expect(list).toMatch(
      /^-rw-r--r-- root\/root .* \.\/usr\/lib\/systemd\/system\/verbatim\.service$/m,
    );
    for (const name of ['backup', 'index-add', 'index-pull']) {
      expect(list).toContain(` ./usr/lib/systemd/system/verbatim-${name}.timer\n`);
    }
    const unit = execFileSync(
      'sh',
      [
        '-c',
        'dpkg-deb --fsys-tarfile "$1" | tar -xO ./usr/lib/systemd/system/verbatim.service',
        'sh',
        path,
      ],
      { encoding: 'utf8' },
    );
    expect(unit).toContain('\nExecStart=/usr/bin/verbatim serve\n');
    expect(unit).toContain('\nLoadCredential=verbatim.conf:/etc/verbatim/verbatim.conf\n');
    const fields = execFileSync('dpkg-deb', ['--field', path], { encoding: 'utf8' });
    expect(fields).toContain(`\nVersion: ${version}\n`);
    expect(fields).toContain('\nDepends: libc6 (>= 2.36), libstdc++6, libgcc-s1\n');
  });
});
