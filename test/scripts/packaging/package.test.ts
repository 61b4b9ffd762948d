/** The real single file, packed fast: it is made from the registry's packages and started. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  lstatSync,
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
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { assembleFile } from '../../../scripts/packaging/assemble.mjs';
import { buildDebianPackage } from '../../../scripts/packaging/debian.mjs';
import { differencesOf } from '../../../scripts/packaging/verify.mjs';
import { packagedFolder } from './packaged.ts';
import { type Ran, runFile } from './run-file.ts';
import { newKey } from './signing-key.ts';
import { makeSmallFile, removeFolder } from './small-file.ts';

const top = resolve(import.meta.dirname, '../../..');
const BYTES_MAX = 85e6;
const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const inputs = JSON.parse(readFileSync(join(top, 'scripts/packaging/inputs.json'), 'utf8'));
const packaged = await packagedFolder();
const file = join(packaged, 'verbatim-linux-x64');
const deb = join(packaged, `verbatim_${version}_amd64.deb`);
const folder = mkdtempSync(join(tmpdir(), 'verbatim-package-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  removeFolder();
});

const hasLintian = spawnSync('lintian', ['--version']).status === 0;

const env = {
  HOME: folder,
  VERBATIM_DB: join(folder, 'v.db'),
  VERBATIM_WARM_UP_SEARCHES: '0',
  VERBATIM_EMBED_THREADS: '1',
  VERBATIM_SEARCH_THREADS: '1',
};
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

describe('the bill of materials', () => {
  it('names each part of the file once, with its version, and nothing that is not in it', async () => {
    const text = (await run('licenses', '--sbom')).stdout;
    const { bomFormat, components, metadata, serialNumber } = JSON.parse(text);
    expect({ bomFormat, serialNumber }).toEqual({
      bomFormat: 'CycloneDX',
      serialNumber: undefined,
    });
    const nameOf = (part: { name: string; version: string }) => `${part.name} ${part.version}`;
    const licenses = JSON.parse((await run('licenses', '--json')).stdout);
    expect(components.map(nameOf)).toEqual(licenses.map(nameOf));
    expect(components.map(nameOf)).toContain(`Node.js ${inputs.node.x64.version}`);
    expect(components.find(({ name }: { name: string }) => name === 'zod')).toMatchObject({
      purl: expect.stringMatching(/^pkg:npm\/zod@/),
      hashes: [{ alg: 'SHA-512' }],
    });
    expect(JSON.stringify(metadata)).not.toContain('timestamp');
    expect(readFileSync(`${file}.cdx.json`, 'utf8')).toBe(text);
    const show = 'dpkg-deb --fsys-tarfile "$1" | tar -xO ./usr/share/doc/verbatim/sbom.cdx.json';
    expect(execFileSync('sh', ['-c', show, 'sh', deb], { encoding: 'utf8' })).toBe(text);
  });
});

describe('npm run package -- --verify', () => {
  const script = join(top, 'scripts/packaging/package.mjs');
  // A tree with changes makes another file than its commit does, and so does one whose packages lie
  // elsewhere: the bundle has their paths.
  const isClean =
    execFileSync('git', ['status', '--porcelain'], { cwd: top }).length === 0 &&
    lstatSync(join(top, 'node_modules')).isDirectory();

  it.runIf(isClean)('makes the same bytes in a second checkout', () => {
    const said = execFileSync(process.execPath, [script, '--verify', file, '--quick'], {
      encoding: 'utf8',
    });
    expect(said).toBe(`${file} is what this commit makes, byte for byte\n`);
  });

  it('names the tools and the parts that differ', () => {
    // Other parts with the head of the real file: what another compiler and another commit give.
    const [one, other] = ['gcc 1', 'gcc 2'].map((compiler) => {
      const work = mkdtempSync(join(folder, 'differing-'));
      const parts = join(work, 'parts');
      mkdirSync(join(parts, 'app'), { recursive: true });
      writeFileSync(join(parts, 'app/verbatim.js'), compiler);
      writeFileSync(join(parts, 'app/same.js'), '');
      const tools = [
        { name: 'gcc', version: compiler },
        { name: 'xz', version: '5' },
      ];
      const component = { properties: [{ name: 'commit', value: 'abc' }] };
      const sbom = {
        metadata: { component, tools },
        components: [{ name: 'Node.js', version: '24.0.0' }],
      };
      writeFileSync(join(parts, 'app/sbom.cdx.json'), JSON.stringify(sbom));
      const unxz = join(work, 'unxz');
      writeFileSync(unxz, compiler);
      const path = join(work, 'verbatim');
      const how = { arch: 'x64', seconds: 0, preset: 0, version: '1' } as const;
      assembleFile({ ...how, parts, unxz, file: path, work });
      return path;
    }) as [string, string];
    const work = mkdtempSync(join(folder, 'work-'));
    expect(differencesOf(one, one, work)).toEqual([]);
    expect(differencesOf(one, other, work)).toEqual([
      'gcc: gcc 1 in the file, gcc 2 here',
      expect.stringMatching(/^part app\/verbatim\.js: \w{12} in the file, \w{12} here$/),
      expect.stringMatching(/^unpacker: \w{12} in the file, \w{12} here$/),
    ]);
  });
});

describe('npm run package -- --sign', () => {
  const script = join(top, 'scripts/packaging/package.mjs');

  it('signs the list of what was made, and three commands verify a download', () => {
    const key = newKey(folder);
    const said = execFileSync(process.execPath, [script, '--sign', key, '--out', packaged], {
      encoding: 'utf8',
    });
    const [, line = ''] = said.trim().split('\n');
    writeFileSync(join(packaged, 'allowed_signers'), `${line}\n`);
    // The commands as the README has them.
    const readme = readFileSync(join(top, 'README.md'), 'utf8');
    const [, commands = ''] = /^```sh\n(echo 'verbatim namespaces[^`]*)```/m.exec(readme) ?? [];
    const [, ...verify] = commands.trim().split('\n');
    expect(verify).toHaveLength(2);
    const run = () =>
      spawnSync('sh', ['-ec', verify.join('\n')], { cwd: packaged, encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 0 });
    const sums = join(packaged, 'SHA256SUMS');
    const text = readFileSync(sums, 'utf8');
    writeFileSync(
      sums,
      text.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    );
    expect(run().status).not.toBe(0);
  });

  it('refuses a key in the source tree, where it would be committed', () => {
    const inTree = mkdtempSync(join(top, 'dist/key-'));
    onTestFinished(() => rmSync(inTree, { recursive: true }));
    const ran = spawnSync(process.execPath, [script, '--sign', newKey(inTree), '--out', packaged]);
    expect(ran.status).toBe(1);
    expect(String(ran.stderr)).toContain('lies in the source tree');
  });
});

describe('a later build, as of `npm run measure -- cluster`,', () => {
  it('leaves both files in dist/ and replaces everything else', () => {
    const dist = join(folder, 'dist');
    const made = [
      ...['verbatim-linux-x64', 'verbatim-linux-x64.cdx.json', 'verbatim-linux-arm64'],
      ...[`verbatim_${version}_amd64.deb`, 'SHA256SUMS', 'SHA256SUMS.sig'],
    ];
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
  // Around a small file, which is a shell script to lintian as the real one is.
  it.skipIf(!hasLintian)('has nothing that lintian finds fault with', async () => {
    const named = { version, arch: 'amd64', seconds: Math.floor(Date.now() / 1000) };
    const path = await buildDebianPackage({
      ...named,
      file: makeSmallFile(version).path,
      sbom: `${file}.cdx.json`,
      out: folder,
      work: folder,
    });
    const lintian = ['--allow-root', '--fail-on', 'error,warning', path];
    expect(execFileSync('lintian', lintian, { encoding: 'utf8' })).toBe('');
  });

  it('has the file, a unit, and names what it needs', () => {
    const list = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' });
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
        deb,
      ],
      { encoding: 'utf8' },
    );
    expect(unit).toContain('\nExecStart=/usr/bin/verbatim serve\n');
    expect(unit).toContain('\nLoadCredential=verbatim.conf:/etc/verbatim/verbatim.conf\n');
    const fields = execFileSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' });
    expect(fields).toContain(`\nVersion: ${version}\n`);
    expect(fields).toContain('\nDepends: libc6 (>= 2.36), libstdc++6, libgcc-s1\n');
  });
});
