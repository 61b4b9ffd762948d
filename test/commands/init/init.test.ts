import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { listCustomers } from '../../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { plain } from '../../support/command-line.ts';
import { inStore } from '../../support/history.ts';
import { postSearch, startService } from '../../support/service.ts';
import { nothingSet, runCommand, runVerbatim } from '../../support/verbatim.ts';

const top = mkdtempSync(join(tmpdir(), 'verbatim-init-'));
afterAll(() => rmSync(top, { recursive: true }));

interface Place {
  folder: string;
  config: string;
  database: string;
  args: string[];
}

function newPlace(): Place {
  const folder = mkdtempSync(join(top, 'folder-'));
  const config = join(folder, 'verbatim.conf');
  const database = join(folder, 'data', 'my.db');
  return { folder, config, database, args: ['init', '--config', config, '--db', database] };
}

const permissionsOf = (path: string): number => statSync(path).mode & 0o777;
const emailsIn = (database: string): string[] =>
  inStore(database, (db) => runOnSqlite(db, listCustomers()).map(({ email }) => email));

interface Printed {
  files: { what: string; path: string; state: string }[];
  customer: { email: string; credits: number } | null;
  key: string | null;
  advice: string[];
}

async function initJson(place: Place, ...options: string[]): Promise<Printed> {
  const { stdout } = await runCommand([...place.args, '--yes', '--json', ...options]);
  return JSON.parse(stdout) as Printed;
}

describe('verbatim init --yes', () => {
  it('makes a settings file, a database, a customer, and a key, and says what comes next', async () => {
    const { args, config, database } = newPlace();
    const { stdout, stderr } = await runCommand([...args, '--yes', '--port', '9000']);
    expect(stderr).toBe('');
    for (const fact of [
      ` settings written ${config}\n database written ${database}\n`,
      'first-customer@localhost with 1,000 credits\n key SECRET (shown only now',
      `verbatim.js index add PAPERS --config ${config}\n`,
      `verbatim.js serve --config ${config}\n`,
      'curl -s http://localhost:9000/v1/search -H "Authorization: Bearer SECRET"',
    ]) {
      expect(plain(stdout)).toContain(fact);
    }
    expect([permissionsOf(config), permissionsOf(database)]).toEqual([0o600, 0o600]);
    expect(emailsIn(database)).toEqual(['first-customer@localhost']);
    expect(inStore(database, auditLedger).differences).toEqual([]);
  });

  it('makes what a server then serves, with the key that it printed', async () => {
    const place = newPlace();
    const { key } = await initJson(place, '--port', '0', '--host', '127.0.0.1');
    const index = ['index', 'add', '-', '--config', place.config];
    await new Promise<void>((done, failed) => {
      const child = spawn(process.execPath, [bundlePath(), ...index], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.once('exit', (code) => (code === 0 ? done() : failed(new Error(`exit ${code}`))));
      child.stdin.end(
        '{"id": "x:1", "title": "Sleep helps memory", "abstract": "Sleep helps memory."}\n',
      );
    });
    const service = await startService(place.database, { VERBATIM_CONFIG: place.config });
    const response = await postSearch(service.url, key ?? '');
    expect(response.status).toBe(200);
    await service.end();
  });

  it('changes nothing when it runs again', async () => {
    const place = newPlace();
    await initJson(place, '--customer', 'ada@example.org', '--credits', '5');
    const before = readFileSync(place.config, 'utf8');
    expect(await initJson(place, '--customer', 'bob@example.org')).toEqual({
      files: [
        { what: 'settings', path: place.config, state: 'kept' },
        { what: 'database', path: place.database, state: 'kept' },
      ],
      customer: null,
      key: null,
      advice: [],
    });
    expect(readFileSync(place.config, 'utf8')).toBe(before);
    expect(emailsIn(place.database)).toEqual(['ada@example.org']);
    const { stdout } = await runCommand([...place.args, '--yes']);
    expect(plain(stdout)).toContain('customer kept;');
    expect(stdout).toContain('"Authorization: Bearer $VERBATIM_KEY"');
  });

  it('completes what an earlier run did not', async () => {
    const place = newPlace();
    await initJson(place);
    rmSync(join(place.database, '..'), { recursive: true });
    const again = await initJson(place);
    expect(again.files.map(({ state }) => state)).toEqual(['kept', 'written']);
    expect(again.key).toMatch(/^sk_live_/);
  });

  it.each([
    [
      'caddy',
      'verbatim.caddyfile',
      /^search\.example\.org \{\n\treverse_proxy 127\.0\.0\.1:8080 \{/,
    ],
    ['nginx', 'verbatim.nginx.conf', /\n {2}server_name search\.example\.org;\n/],
  ])('writes an example for %s and the settings that belong to it', async (kind, name, text) => {
    const place = newPlace();
    const { files } = await initJson(place, `--${kind}`, 'Search.example.org');
    const path = join(place.folder, name);
    expect(files.at(-1)).toEqual({ what: kind, path, state: 'written' });
    expect(readFileSync(path, 'utf8')).toMatch(text);
    expect(permissionsOf(path)).toBe(0o644);
    const { stdout } = await runCommand(
      ['config', '--config', place.config, '--changed', '--json'],
      {
        env: nothingSet,
      },
    );
    const { settings } = JSON.parse(stdout) as { settings: { variable: string; value: unknown }[] };
    expect(settings.map(({ variable, value }) => [variable, value])).toEqual([
      ['VERBATIM_DB', place.database],
      ['VERBATIM_HOST', '127.0.0.1'],
      ['VERBATIM_PORT', 8080],
      ['VERBATIM_PUBLIC_URL', 'https://search.example.org'],
      ['VERBATIM_PROXIES_TRUSTED', 1],
    ]);
  });

  it('names the lines that an existing settings file lacks for a proxy', async () => {
    const place = newPlace();
    await initJson(place);
    const args = [...place.args, '--yes', '--caddy', 'search.example.org'];
    const { stdout } = await runCommand(args);
    for (const line of ['HOST=127.0.0.1', 'PUBLIC_URL=https://search.example.org']) {
      expect(stdout).toContain(` VERBATIM_${line}\n`);
    }
    expect(stdout).toContain(' VERBATIM_PROXIES_TRUSTED=1\n');
    expect(stdout).toContain(`import ${join(place.folder, 'verbatim.caddyfile')}\n`);
  });

  it('uses the settings of an existing file', async () => {
    const place = newPlace();
    writeFileSync(place.config, 'VERBATIM_DB=data/my.db\nVERBATIM_PORT=9001\n', { mode: 0o600 });
    const { stdout } = await runCommand(['init', '--yes', '--config', place.config]);
    expect(stdout).toContain(`database  written ${place.database}\n`);
    expect(stdout).toContain('curl -s http://localhost:9001/');
  });
});

describe('verbatim init refuses', () => {
  it.each<[what: string, options: string[], message: RegExp]>([
    ['an address that is none', ['--customer', 'ada'], /"ada" is not an e-mail address/],
    ['a domain that is none', ['--caddy', 'https://x.org'], /It must be a domain such as/],
    ['two proxies', ['--caddy', 'x.org', '--nginx', 'x.org'], /cannot be used with option/],
    ['no settings file', ['--config', 'none'], /init writes a settings file; name one/],
    ['a path that no settings file can hold', ['--db', `/'"`], /cannot stand in a settings file/],
  ])('%s, before it makes anything', async (_, options, message) => {
    const { args, config } = newPlace();
    const { stdout, stderr } = await runCommand([...args, '--yes', ...options], { code: 2 });
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(existsSync(config)).toBe(false);
  });

  it('an option that an existing settings file contradicts', async () => {
    const place = newPlace();
    await initJson(place);
    const { stderr } = await runCommand([...place.args, '--yes', '--port', '81'], { code: 2 });
    expect(stderr).toContain(`${place.config} is there already, with VERBATIM_PORT=8080`);
  });

  it('to ask where there is no terminal', async () => {
    const { stderr } = await runVerbatim(newPlace().args, { code: 2 });
    expect(stderr).toContain('there is no terminal to ask on');
  });

  it('a unit for a database elsewhere, or for a user who is not root', async () => {
    const { args, config } = newPlace();
    const { stderr } = await runCommand([...args, '--yes', '--systemd'], { code: 2 });
    expect(stderr).toMatch(
      /^verbatim: --systemd: (only root|this machine has no|the service keeps)/,
    );
    expect(existsSync(config)).toBe(false);
  });

  it('a database that is none, and goes on when it is away', async () => {
    const place = newPlace();
    mkdirSync(join(place.folder, 'data'));
    writeFileSync(place.database, 'not a database, and longer than a header of one'.repeat(9));
    const { stderr } = await runCommand([...place.args, '--yes'], { code: 1 });
    expect(stderr).toContain(`cannot use ${place.database} as a database`);
    rmSync(place.database);
    expect((await initJson(place)).key).toMatch(/^sk_live_/);
  });
});

/** Runs `init` on a pseudo-terminal and types an answer whenever a question is asked. */
async function answer(place: Place, options: string[], answers: string[]) {
  const command = [process.execPath, bundlePath(), 'init', '--config', place.config, ...options];
  const child = spawn('script', ['-qefc', command.join(' '), '/dev/null'], {
    cwd: place.folder,
    env: { ...process.env, TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let asked = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const questions = shown.match(/\]: /g)?.length ?? 0;
    for (; asked < questions; asked++) child.stdin.write(answers[asked] ?? '\u{3}');
  });
  const code = await new Promise<number | null>((done) => child.once('exit', done));
  return { code, shown: stripVTControlCharacters(shown).replaceAll('\r\n', '\n') };
}

describe('verbatim init on a terminal', () => {
  it('asks for what no option says, and again if an answer cannot be', async () => {
    const place = newPlace();
    const { code, shown } = await answer(
      place,
      ['--db', place.database, '--credits', '7'],
      ['ada\r', 'ada@example.org\r', 'search.example.org\r', 'apache\r', 'nginx\r'],
    );
    expect(code, shown).toBe(0);
    for (const fact of [
      ' address [first-customer@localhost]: ',
      'This is not an e-mail address.',
      'Type caddy or nginx.',
      'added ada@example.org with 7 credits',
    ]) {
      expect(shown).toContain(fact);
    }
    expect(existsSync(join(place.folder, 'verbatim.nginx.conf'))).toBe(true);
  });

  it.each([
    ['Ctrl-C', '\u{3}'],
    ['Ctrl-D', '\u{4}'],
  ])('makes nothing after %s', async (_, typed) => {
    const place = newPlace();
    const { code, shown } = await answer(place, ['--db', place.database], ['\r', typed]);
    expect(code, shown).toBe(130);
    expect(shown).toContain('interrupted; nothing was made');
    expect(existsSync(place.config)).toBe(false);
    expect(existsSync(place.database)).toBe(false);
  });
});
