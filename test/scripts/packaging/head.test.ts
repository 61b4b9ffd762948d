/** The head of the single file: unpacking, healing, cleaning up, and what it says if it cannot. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createSmallDisk } from '../../support/small-disk.ts';
import { type Ran, runFile } from './run-file.ts';
import { folder, makeSmallFile, removeFolder, startFile } from './small-file.ts';

const file = makeSmallFile('one');
const newer = makeSmallFile('two');

let cache: string;
let parts: string;

beforeEach(() => {
  cache = mkdtempSync(join(folder, 'cache-'));
  parts = file.partsIn(cache);
});
afterAll(removeFolder);

const run = (args: readonly string[] = ['hello']): Promise<Ran> =>
  runFile(file.path, args, { env: { VERBATIM_CACHE: cache } });

function expectRan({ code, stdout, stderr }: Ran): void {
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `ran hello as ${file.path}\n`,
    stderr: '',
  });
}

/** One line, and nothing is left in the cache. */
function expectRefused({ code, stdout, stderr }: Ran, reason: string): void {
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `verbatim: ${reason}\n`,
  });
}

describe('the file', () => {
  it('is the same whenever and wherever it is made', () => {
    const again = makeSmallFile('one');
    expect(readFileSync(again.path).equals(readFileSync(file.path))).toBe(true);
    expect(readFileSync(newer.path).equals(readFileSync(file.path))).toBe(false);
  });
});

describe('the first start', () => {
  it('unpacks and runs the program with its arguments', async () => {
    const { code, stdout } = await run(['search', 'two words', '']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `ran search two words  as ${file.path}\n`,
    });
    expect(readdirSync(cache).sort()).toEqual([basename(parts), `${basename(parts)}.stamp`]);
  });

  it('lets nobody else read or write what it unpacks', async () => {
    await run();
    for (const name of ['', 'bin/node', 'app/verbatim.js']) {
      expect(statSync(join(parts, name)).mode & 0o077).toBe(0);
    }
  });

  it('unpacks once when several start together', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => run()));
    for (const one of all) expectRan(one);
    expect(readdirSync(cache)).toHaveLength(2);
  });

  it.each([
    ['CACHE_DIRECTORY', (path: string) => ({ CACHE_DIRECTORY: `${path}:/elsewhere` }), ''],
    ['XDG_CACHE_HOME', (path: string) => ({ XDG_CACHE_HOME: path }), 'verbatim'],
    ['HOME', (path: string) => ({ HOME: path }), '.cache/verbatim'],
  ])('finds a folder by %s', async (_name, env, below) => {
    expectRan(await runFile(file.path, ['hello'], { env: env(cache) }));
    expect(existsSync(file.partsIn(join(cache, below)))).toBe(true);
  });

  it('works from any folder, through a link, and by a relative path', async () => {
    symlinkSync(file.path, join(cache, 'link'));
    const options = { env: { VERBATIM_CACHE: join(cache, 'new folder') }, cwd: cache };
    expect((await runFile('./link', ['hello'], options)).stdout).toBe('ran hello as ./link\n');
  });

  it('calls the program by its name if the shell finds it by that', async () => {
    const PATH = `${join(file.path, '..')}:/usr/bin:/bin`;
    const { stdout } = await runFile(file.path, ['hello'], {
      env: { VERBATIM_CACHE: cache, PATH },
    });
    expect(stdout).toBe('ran hello as verbatim\n');
  });
});

describe('a later start', () => {
  it.each<[string, (path: string) => void]>([
    ['is changed', (path) => appendFileSync(path, 'x')],
    [
      'is changed, with its size and time as before',
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, readFileSync(path, 'utf8').replace('one', 'bad'));
        utimesSync(path, atime, mtime);
      },
    ],
    ['is truncated', (path) => truncateSync(path)],
    ['is missing', (path) => rmSync(path)],
    ['may be written by others', (path) => chmodSync(path, 0o666)],
    [
      'is a link',
      (path) => {
        rmSync(path);
        symlinkSync('/etc/hostname', path);
      },
    ],
    ['has a foreign file beside it', (path) => writeFileSync(`${path}on`, '{}')],
  ])('heals a part that %s', async (_what, damage) => {
    await run();
    const part = join(parts, 'app/verbatim.js');
    damage(part);
    expectRan(await run());
    expect(readFileSync(part, 'utf8')).toBe('// one\n');
    expect(readdirSync(join(parts, 'app')).sort()).toEqual(['bulk', 'verbatim.js']);
  });

  it('does not unpack again if only times have changed', async () => {
    await run();
    const { ino } = statSync(parts);
    utimesSync(join(parts, 'app/verbatim.js'), 1, 1);
    expectRan(await run());
    expect(statSync(parts).ino).toBe(ino);
  });

  it('checks everything again after the machine was restarted', async () => {
    await run();
    const stamp = `${parts}.stamp`;
    const [, ...rest] = readFileSync(stamp, 'utf8').split('\n');
    writeFileSync(stamp, ['another boot', ...rest].join('\n'));
    expectRan(await run());
    expect(readFileSync(stamp, 'utf8')).not.toContain('another boot');
  });

  it('takes away what an interrupted start left behind', async () => {
    mkdirSync(join(cache, 'unpacking/parts/bin'), { recursive: true });
    expectRan(await run());
    expect(readdirSync(cache)).not.toContain('unpacking');
  });
});

describe('folders of other versions', () => {
  it('are removed', async () => {
    await run();
    await runFile(newer.path, [], { env: { VERBATIM_CACHE: cache } });
    const name = basename(newer.partsIn(cache));
    expect(readdirSync(cache).sort()).toEqual([name, `${name}.stamp`]);
  });

  it('stay while a process runs from them', async () => {
    const running = await startFile(file.path, cache);
    onTestFinished(async () => void (await running.end()));
    await runFile(newer.path, [], { env: { VERBATIM_CACHE: cache } });
    expect(existsSync(join(parts, 'bin/node'))).toBe(true);
    expect(await running.end()).toBe(0);
    // The next version that unpacks removes both.
    const newest = makeSmallFile('three');
    await runFile(newest.path, [], { env: { VERBATIM_CACHE: cache } });
    expect(readdirSync(cache)).toHaveLength(2);
  });
});

describe('the head says in one line', () => {
  it('that the file is incomplete', async () => {
    const { size } = statSync(file.path);
    const cut = join(cache, 'cut');
    copyFileSync(file.path, cut);
    truncateSync(cut, size - 100);
    const ran = await runFile(cut, [], { env: { VERBATIM_CACHE: cache } });
    expectRefused(
      ran,
      `this file is incomplete: it has ${size - 100} of ${size} bytes; copy it again`,
    );
    expect(readdirSync(cache)).toEqual(['cut']);
  });

  it.each([
    ['the unpacker', (size: number) => size / 2],
    ['the parts', (size: number) => size - 300],
  ])('that %s in the file is damaged', async (_what, place) => {
    const damaged = join(cache, 'damaged');
    const bytes = readFileSync(file.path);
    const at = Math.floor(place(bytes.length));
    bytes.fill(0, at, at + 100);
    writeFileSync(damaged, bytes, { mode: 0o755 });
    const ran = await runFile(damaged, [], { env: { VERBATIM_CACHE: cache } });
    expect(ran.stderr).toMatch(/^verbatim: this file is damaged; copy it again \(.+\)\n$/);
    expect(readdirSync(cache)).toEqual(['damaged']);
  });

  it.each([
    ['glibc 2.31', 'echo glibc 2.31', 'has glibc 2.31'],
    ['glibc 2.4', 'echo glibc 2.4', 'has glibc 2.4'],
    ['another C library', 'exit 1', 'has no glibc'],
  ])('that the system has %s, before it creates a folder', async (_what, says, has) => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(bin, 'getconf'), `#!/bin/sh\n${says}\n`, { mode: 0o755 });
    const env = { VERBATIM_CACHE: join(cache, 'new'), PATH: `${bin}:/usr/bin:/bin` };
    const needs = 'and Verbatim needs glibc 2.36 or later (Debian 12, Ubuntu 24.04)';
    expectRefused(await runFile(file.path, [], { env }), `this system ${has}, ${needs}`);
    expect(readdirSync(cache)).toEqual([]);
  });

  it('nothing of a newer glibc, or of one that it does not understand', async () => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const env = { VERBATIM_CACHE: cache, PATH: `${bin}:/usr/bin:/bin` };
    for (const says of ['glibc 2.36', 'glibc 2.41.9000', 'glibc 3.0', 'what']) {
      writeFileSync(join(bin, 'getconf'), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
      expectRan(await runFile(file.path, ['hello'], { env }));
    }
  });

  it('that there is no home', async () => {
    const reason =
      'there is no home folder to unpack into; set VERBATIM_CACHE to a folder of your own';
    expectRefused(await runFile(file.path, []), reason);
  });

  it('that the folder cannot be created', async () => {
    const reason = 'to unpack into; set VERBATIM_CACHE to a folder of your own';
    const ran = await runFile(file.path, [], { env: { HOME: '/proc/nobody' } });
    expectRefused(ran, `cannot create /proc/nobody/.cache/verbatim ${reason}`);
  });

  it('that others may write to the folder', async () => {
    chmodSync(cache, 0o777);
    const reason = `others may write to the cache folder ${cache}; run: chmod go-w ${cache}`;
    expectRefused(await run(), reason);
  });

  it.runIf(process.getuid?.() === 0)('that the folder belongs to another user', async () => {
    chownSync(cache, 12345, 12345);
    const reason = 'belongs to another user; set VERBATIM_CACHE to a folder of your own';
    expectRefused(await run(), `the cache folder ${cache} ${reason}`);
  });

  it('that a tool is missing', async () => {
    const bin = join(cache, 'bin');
    mkdirSync(bin);
    for (const tool of ['find', 'sort', 'cmp', 'mkdir', 'cat', 'sha256sum', 'wc', 'id', 'tar']) {
      symlinkSync(`/usr/bin/${tool}`, join(bin, tool));
    }
    const ran = await runFile('/bin/sh', [file.path], {
      env: { VERBATIM_CACHE: cache, PATH: bin },
    });
    expectRefused(ran, 'unpacking needs flock, which this machine lacks');
  });
});

describe('a disk', () => {
  it('that is full is named, with what is needed, and nothing is left on it', async () => {
    const disk = await createSmallDisk(4);
    onTestFinished(() => disk.end());
    const large = makeSmallFile('large', { megabytes: 6 });
    const env = { VERBATIM_CACHE: join(disk.folder, 'cache') };
    const ran = await runFile(large.path, [], { env, through: disk.through });
    expectRefused(
      ran,
      `no space left in ${disk.folder}/cache: unpacking takes 7 MB, 4 MB are free`,
    );
    expect(readdirSync(join(disk.seenAs, 'cache'))).toEqual([]);
    expectRan(await runFile(file.path, ['hello'], { env, through: disk.through }));
  });

  it('from which no program may run is named', async () => {
    const disk = await createSmallDisk(4);
    onTestFinished(() => disk.end());
    await runFile('mount', ['-o', 'remount,noexec', disk.folder], { through: disk.through });
    const env = { VERBATIM_CACHE: join(disk.folder, 'cache') };
    const reason = '(noexec); set VERBATIM_CACHE to a folder where they may';
    const ran = await runFile(file.path, [], { env, through: disk.through });
    expectRefused(ran, `programs may not run from ${disk.folder}/cache ${reason}`);
  });
});
