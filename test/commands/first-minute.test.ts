/** What somebody sees who starts Verbatim for the first time, on a real terminal of 80 columns. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';
import type { Answer } from '../../src/types.ts';
import { PASSWORD } from '../support/history.ts';
import { createClient } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';

const COLUMNS = 80;
/** Takes away what stands in a line, before it is written again. */
const CLEARED = '\r\u{1b}[K';
/** Prints its arguments, one a line, in place of the program. */
const SHOW_ARGUMENTS = `curl() { printf '%s\\n' "$@"; }`;

/** A program on a pseudo-terminal. */
interface Terminal {
  child: ChildProcess;
  /** All that was shown, without colors and what was written over. */
  lines(): string[];
  type(text: string): void;
  exited: Promise<number | null>;
}

function openTerminal(command: string, env: Record<string, string>): Terminal {
  const child = spawn(
    ...([
      'script',
      ['-qefc', `stty cols ${COLUMNS} rows 40; exec ${command}`, '/dev/null'],
    ] as const),
    { env: { ...process.env, TERM: 'xterm', ...env }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  return {
    child,
    lines: () =>
      shown.split('\r\n').map((line) => stripVTControlCharacters(line.split(CLEARED).at(-1) ?? '')),
    type: (text) => void child.stdin.write(text),
    exited: new Promise((resolve) => child.once('exit', resolve)),
  };
}

describe('the first minute', () => {
  let folder: string;
  let terminal: Terminal;

  async function start(): Promise<void> {
    terminal = openTerminal(`${process.execPath} ${bundlePath()} start`, {
      VERBATIM_DB: join(folder, 'verbatim.db'),
      VERBATIM_HOST: '127.0.0.1',
      VERBATIM_PORT: '0',
      VERBATIM_METRICS_PORT: '0',
    });
    const isReady = (line: string): boolean => /^ {2}(Stop|Open the dashboard) {2}/.test(line);
    await vi.waitUntil(() => terminal.lines().some(isReady), PATIENT);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verbatim-first-'));
    await start();
  });
  afterAll(async () => {
    terminal.child.kill();
    await terminal.exited;
    await rm(folder, { recursive: true });
  });

  const base = (): string => /http\S+/.exec(lineWith('Verbatim is ready at')[0] ?? '')?.[0] ?? '';

  /** The line with a text and those below it. */
  function lineWith(text: string): string[] {
    const lines = terminal.lines();
    const at = lines.findIndex((line) => line.includes(text));
    return at < 0 ? [] : lines.slice(at);
  }

  /** The arguments of the printed command, as a shell takes them. */
  function printedArguments(): string[] {
    const lines = lineWith('  curl -s');
    const command = lines.slice(0, lines.findIndex((line) => !line.endsWith('\\')) + 1).join('\n');
    const shown = execFileSync('bash', ['-c', `${SHOW_ARGUMENTS}\n${command}`], {
      encoding: 'utf8',
    });
    return shown.trimEnd().split('\n');
  }

  it('prints one line each for the new file, the index and the log, and then the block', () => {
    const [file, index, log, ...block] = terminal.lines();
    expect(file).toMatch(/^created a new database: \S+$/);
    expect(index).toMatch(/^indexed 214 documents with [\d,]+ sentences in \d+ s$/);
    expect(log).toMatch(/^\d\d:\d\d:\d\d Verbatim \S+ listens on 127\.0\.0\.1, port \d+$/);
    expect(block.slice(0, 2)).toEqual(['', `Verbatim is ready at ${base()}`]);
    expect(terminal.lines().join('\n')).not.toMatch(/reading |"event"/);
  });

  it('does not wrap the command or the key', () => {
    const lines = lineWith('Verbatim is ready at');
    const long = lines.filter((line) => line.length >= COLUMNS);
    // The link is one word, and the path of this test's database is long.
    expect(long.filter((line) => !/token=|--db /.test(line))).toEqual([]);
    expect(lines.filter((line) => /^ {2}sk_live_\w{38}$/.test(line))).toHaveLength(1);
  });

  it('prints a command that works when pasted and answers its question', async () => {
    const [silent, url = '', ...others] = printedArguments();
    expect([silent, url]).toEqual(['-s', `${base()}/v1/search`]);
    const headers = others.filter((_, i) => others[i - 1] === '-H');
    const response = await fetch(url.replace('localhost', '127.0.0.1'), {
      method: 'POST',
      headers: Object.fromEntries(headers.map((header) => header.split(': ') as [string, string])),
      body: others.at(-1) ?? '',
    });
    const { n, c, results } = (await response.json()) as Answer;
    expect(n).toBe(3);
    expect(c).toBeGreaterThan(0.7);
    expect(results[0]?.q).toMatch(/^Sleep after learning improves memory/);
  });

  it('logs a search in one short line, and does not log pages', async () => {
    const own = base().replace('localhost', '127.0.0.1');
    for (const path of ['/docs', '/dashboard/sign-in', '/health']) {
      expect((await fetch(own + path)).status).toBe(200);
    }
    expect((await fetch(`${own}/nowhere`)).status).toBe(404);
    await vi.waitUntil(() => lineWith('GET (unknown) 404').length > 0, PATIENT);
    const log = lineWith('  Stop').slice(2, -1);
    expect(log.map((line) => line.replace(/\d+ ms/, 'MS'))).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d POST \/v1\/search 200 {2}MS {2}key [0-9a-f]{10}$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \(unknown\) 404 {2}MS$/),
    ]);
  });

  it('prints a link that sets a password and leads to the dashboard', async () => {
    const [link = ''] = /http\S+token=[\w-]{43}/.exec(terminal.lines().join('\n')) ?? [];
    const { origin, pathname, search, searchParams } = new URL(link);
    expect(origin).toBe(base());
    const client = createClient(base().replace('localhost', '127.0.0.1'));
    const token = searchParams.get('token') ?? '';
    const fields = { token, new_password: PASSWORD, new_password_again: PASSWORD };
    const chosen = await client.submit('/dashboard/link', fields, pathname + search);
    expect(chosen.headers.location).toBe('/dashboard');
    expect((await client.get('/dashboard')).text).toContain('999 credits');
  });

  it('ends with Ctrl-C, and prints no secret at the next start', async () => {
    terminal.type('\u{3}');
    expect(await terminal.exited).toBe(0);
    await start();
    expect(terminal.lines().join('\n')).not.toMatch(/sk_live_|token=/);
  });
});
