/**
 * Runs Verbatim where nothing can leave, and tells what it tried: in network and mount namespaces
 * of its own, with a DNS server that notes every question, and with empty folders for all that a
 * program may write to outside of its own. Started by nothing-leaves.test.ts:
 *
 *   unshare --user --map-root-user --net --mount ... node namespace.mjs FOLDER BUNDLE SCENARIO [JSON]
 *
 * FOLDER holds `database/verbatim.db` and `program/`, an empty folder; the folder BUNDLE is mounted
 * on the latter. SCENARIO and its argument: see `scenarios` below.
 * Prints one JSON object: `lookups`, names that were asked for, and `files`, paths that are new.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Where the folder is mounted: the folder itself may lie below /tmp, which is covered. */
const top = '/mnt';
const database = `${top}/database/verbatim.db`;
/** Where programs leave files, and the folder that stands for it. */
const covered = [
  ['/tmp', 'tmp'],
  ['/var/tmp', 'var-tmp'],
  ['/dev/shm', 'shm'],
];
const home = `${top}/home`;
/** ONNX Runtime's first report was seen to leave 9 s after its library was loaded. */
const SERVED_MS = 15_000;

const [folder, bundle, scenario, argument] = process.argv.slice(2);
const environment = enter();
const lookups = await noteLookups();
const before = new Set(files());
const report = await scenarios()[scenario]();
const result = {
  lookups: [...lookups],
  files: files().filter((path) => !before.has(path)),
  report,
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));

/** Mounts the folders; returns the environment of the program. */
function enter() {
  for (const name of ['home', 'work', ...covered.map(([, name]) => name)]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions attempts:1\n');
  writeFileSync(join(folder, 'nsswitch.conf'), 'hosts: files dns\n');
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  mount('--bind', bundle, join(folder, 'program'));
  mount('--rbind', folder, top);
  for (const name of ['resolv.conf', 'nsswitch.conf'])
    mount('--bind', `${top}/${name}`, `/etc/${name}`);
  for (const [path, name] of covered) mount('--bind', `${top}/${name}`, path);
  return {
    PATH: process.env.PATH,
    HOME: home,
    VERBATIM_DB: database,
    VERBATIM_EMBED_THREADS: '1',
    VERBATIM_HOST: '127.0.0.1',
    VERBATIM_PORT: '0',
    VERBATIM_METRICS_PORT: '0',
    VERBATIM_SEARCH_THREADS: '1',
  };
}

function mount(...options) {
  execFileSync('mount', options);
}

/** Answers every question with "no such name", and notes the name. */
async function noteLookups() {
  const names = new Set();
  const server = createSocket('udp4', (message, { port, address }) => {
    names.add(nameIn(message));
    const answer = Buffer.from(message);
    answer.writeUInt16BE(0x8183, 2);
    server.send(answer, port, address);
  });
  await new Promise((resolve) => server.bind(53, '127.0.0.1', resolve));
  return names;
}

/** The name in the first question of a DNS message: labels, each behind its length. */
function nameIn(message) {
  const labels = [];
  for (let at = 12; message[at] > 0; at += message[at] + 1) {
    labels.push(message.toString('ascii', at + 1, at + 1 + message[at]));
  }
  return labels.join('.');
}

/** All files and folders below the folder, save those of the database and the program. */
function files() {
  return readdirSync(top, { recursive: true }).filter(
    (path) => !/^(database|program)\b/.test(path),
  );
}

function scenarios() {
  return {
    /** A program that does what no command may: shows that it would be seen. */
    control: () =>
      run(process.execPath, [
        '-e',
        `require('node:fs').writeFileSync(process.env.HOME + '/.left-behind', '');
         require('node:fs').writeFileSync('/tmp/left-behind', '');
         require('node:dns').lookup('collector.example', () => {});`,
      ]),
    /** A command that comes to its end. */
    command: () => verbatim(...JSON.parse(argument)),
    /** `argument` is the command that serves and the key of a search. */
    async serve() {
      const [command, secret] = JSON.parse(argument);
      const child = start([command]);
      const exited = exitOf(child);
      const status = await search(await portOf(child, exited), secret);
      if (command === 'serve') await wait(SERVED_MS);
      child.kill('SIGTERM');
      return { status, ...(await exited) };
    },
  };
}

function verbatim(...args) {
  return exitOf(start(args));
}

function start(args) {
  return spawn(process.execPath, [`${top}/program/verbatim.js`, ...args], {
    cwd: `${top}/work`,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function run(command, args) {
  return exitOf(spawn(command, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] }));
}

function exitOf(child) {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
}

function portOf(child, exited) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (piece) => {
      text += piece;
      const [, port] = /"event":"serving".*"port":(\d+)/.exec(text) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    void exited.then(({ code }) => reject(new Error(`exited with ${code}: ${text}`)));
  });
}

async function search(port, secret) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'does sleep help memory' }),
  });
  await response.text();
  return response.status;
}
