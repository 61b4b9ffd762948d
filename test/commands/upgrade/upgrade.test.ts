/** `verbatim upgrade` of a program whose server runs, to one that migrates, fails, or writes. */
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { freePort } from '../../../scripts/measure/free-port.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { servingProcess } from '../../../src/database/sqlite/process-lock.ts';
import { versionOf } from '../../database/migrations/migrated-files.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { inStore } from '../../support/history.ts';
import { createCustomer } from '../../support/service.ts';
import { type Installation, install, NEWER_VERSION, type NewerProgram } from './programs.ts';

const top = temporaryFolder();

interface Machine extends Installation {
  env: NodeJS.ProcessEnv;
  port: number;
  /** The program before the upgrade. */
  before: string;
}

/** An installation with a customer, whose server runs unless `served` is false. */
async function machine(newer: NewerProgram, served = true): Promise<Machine> {
  const installed = install(top, newer);
  const { folder, program, database } = installed;
  copyFileSync(inject('sampleIndex'), database);
  createCustomer(database);
  const port = await freePort();
  const env = {
    ...process.env,
    VERBATIM_DB: database,
    VERBATIM_HOST: '127.0.0.1',
    VERBATIM_SEARCH_THREADS: '1',
    VERBATIM_METRICS_PORT: '0',
    VERBATIM_TEST_LIMITS: '{"upgradeReadyMs":60000}',
  };
  const made = { ...installed, env, port, before: readFileSync(program, 'utf8') };
  onTestFinished(() => {
    const pid = servingProcess(database);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  });
  if (served) {
    const options = { env, cwd: folder, stdio: 'ignore' } as const;
    const server = spawn(program, ['serve', '--port', String(port)], options);
    await expect.poll(() => healthOf(made)).toBe(200);
    expect(servingProcess(database)).toBe(server.pid);
  }
  return made;
}

const healthOf = async ({ port }: Machine): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.status ?? 0;

function upgrade(made: Machine, args?: string[]) {
  const { program, download, signers, env, folder } = made;
  const given = args ?? [join(download, 'verbatim-linux-x64'), '--signers', signers];
  const ran = spawnSync(program, ['upgrade', ...given], { env, cwd: folder, encoding: 'utf8' });
  return { code: ran.status, said: `${ran.stdout}${ran.stderr}` };
}

const prefixIn = (path: string): string =>
  inStore(path, (db) => String(db.prepare('SELECT prefix FROM api_keys').pluck().get()));

const tablesOf = (path: string): number => Number(versionOf(path));
const namesIn = (folder: string): string[] => readdirSync(folder).sort();

/** Nothing of the customer is missing. */
function expectLedger(path: string, entries = 1): void {
  expect(inStore(path, auditLedger)).toMatchObject({ customers: 1, entries, differences: [] });
}

/** Kept from `database` while it has the newer tables, which the code under test does not know. */
const ledgerEntries = (made: Machine): string => {
  const { program, env } = made;
  return String(
    spawnSync(program, ['credit', 'audit', '--json'], { env, encoding: 'utf8' }).stdout,
  );
};

describe('an upgrade', () => {
  it('backs up, replaces, migrates, and restarts the server; --back undoes all of it', async () => {
    const made = await machine({});
    const tables = tablesOf(made.database);
    const first = servingProcess(made.database);
    const { code, said } = upgrade(made);
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining(`is ${NEWER_VERSION}, and its server is ready`),
    });
    expect(await healthOf(made)).toBe(200);
    expect(servingProcess(made.database)).not.toBe(first);
    expect(tablesOf(made.database)).toBe(tables + 1);
    const copy = `${made.database}.before-${NEWER_VERSION}`;
    const backups = namesIn(made.folder).filter((name) => /^verbatim-.*Z\.db$/.test(name));
    for (const path of [copy, ...backups.map((name) => join(made.folder, name))]) {
      expect(tablesOf(path)).toBe(tables);
      expectLedger(path);
    }
    expect(backups).toHaveLength(1);
    expect(namesIn(join(made.program, '..'))).toEqual([
      'verbatim',
      'verbatim.old',
      'verbatim.old.json',
    ]);

    expect(upgrade(made, ['--back']).code).toBe(0);
    expect(readFileSync(made.program, 'utf8')).toBe(made.before);
    expect(await healthOf(made)).toBe(200);
    expect(tablesOf(made.database)).toBe(tables);
    expectLedger(made.database);
    expect(namesIn(join(made.program, '..'))).toEqual(['verbatim']);
  });

  it('starts no server if none ran', async () => {
    const made = await machine({}, false);
    expect(upgrade(made)).toMatchObject({ code: 0 });
    expect(servingProcess(made.database)).toBeUndefined();
  });
});

describe('an upgrade goes back by itself, with the server ready and the ledger whole,', () => {
  it.each<[when: string, newer: NewerProgram]>([
    ['the new server ends at once', { first: '[ "$1" = serve ] && exit 1' }],
    ['the new server is never ready', { first: '[ "$1" = health ] && exit 1' }],
    ['the migration fails', { first: '[ "$1" = migrate ] && exit 1' }],
    [
      'the new server ends, and nothing is migrated',
      { migrates: false, first: '[ "$1" = serve ] && exit 1' },
    ],
  ])('if %s', async (_when, newer) => {
    const made = await machine(newer);
    made.env['VERBATIM_TEST_LIMITS'] = '{"upgradeReadyMs":10000}';
    const tables = tablesOf(made.database);
    const { code, said } = upgrade(made);
    expect(code).toBe(1);
    expect(said).toMatch(/went back to .+, whose server is ready: /);
    expect(readFileSync(made.program, 'utf8')).toBe(made.before);
    expect(await healthOf(made)).toBe(200);
    expect(tablesOf(made.database)).toBe(tables);
    expectLedger(made.database);
  });
});

/** Kills the upgrade in the moment in which the server is stopped, once; what it has started goes on. */
const KILLING: NewerProgram = {
  first: '[ "$1" = migrate ] && [ ! -e "$0.killed" ] && touch "$0.killed" && kill -9 $PPID',
};

describe('an upgrade that is killed while the server is stopped', () => {
  const killedOne = async () => {
    const made = await machine(KILLING);
    const tables = tablesOf(made.database);
    expect(upgrade(made).code).toBeNull();
    // Nobody starts it but what the upgrade has left.
    await expect.poll(() => healthOf(made)).toBe(200);
    expect(tablesOf(made.database)).toBe(tables + 1);
    return { made, tables };
  };
  const expectBack = async (made: Machine, tables: number): Promise<void> => {
    expect(readFileSync(made.program, 'utf8')).toBe(made.before);
    expect(await healthOf(made)).toBe(200);
    expect(tablesOf(made.database)).toBe(tables);
    expectLedger(made.database);
  };

  it('is finished by the same command, after which --back still goes back', async () => {
    const { made, tables } = await killedOne();
    const { code, said } = upgrade(made);
    expect(code, said).toBe(0);
    expect(said).toContain(`the upgrade to ${NEWER_VERSION} was killed; finishing it`);
    expect(readFileSync(`${made.program}.old`, 'utf8')).toBe(made.before);
    expect(upgrade(made, ['--back']).code).toBe(0);
    await expectBack(made, tables);
  });

  it('is undone by --back', async () => {
    const { made, tables } = await killedOne();
    const { code, said } = upgrade(made, ['--back']);
    expect(code, said).toBe(0);
    expect(said).toContain(`the upgrade to ${NEWER_VERSION} was killed; going back`);
    await expectBack(made, tables);
  });
});

describe('going back after the new server has written', () => {
  const run = ({ program, env }: Machine, args: string[]): unknown =>
    expect(spawnSync(program, args, { env }).status).toBe(0);
  const addCredit = ['credit', 'add', 'ada@example.org', '5'];

  it.each<[what: string, args: (made: Machine) => string[], table: string]>([
    ['an entry of the ledger', () => addCredit, 'ledger_entries'],
    ['a revoked key', ({ database }) => ['key', 'revoke', prefixIn(database)], 'api_keys'],
  ])('is not done for %s if the database was migrated', async (_what, args, table) => {
    const made = await machine({});
    const words = args(made);
    expect(upgrade(made).code).toBe(0);
    run(made, words);
    const audited = ledgerEntries(made);
    const { code, said } = upgrade(made, ['--back']);
    expect(code).toBe(1);
    expect(said).toContain('was written since its copy');
    expect(said).toContain(table);
    // The new server goes on.
    await expect.poll(() => healthOf(made)).toBe(200);
    expect(ledgerEntries(made)).toBe(audited);
  });

  it('keeps the ledger if it was not migrated', async () => {
    const made = await machine({ migrates: false });
    expect(upgrade(made).code).toBe(0);
    run(made, addCredit);
    expect(upgrade(made, ['--back']).code).toBe(0);
    expect(readFileSync(made.program, 'utf8')).toBe(made.before);
    expectLedger(made.database, 2);
  });
});

// Without a user namespace: nobody in one may look at processes of another.
const unshare = ['unshare', '--mount'];
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0;

/** Stands for systemd: keeps the process of the unit in a file, and notes what it is asked to do. */
const SYSTEMCTL = `#!/bin/sh
cd "$MACHINE" && echo "$*" >>asked
case $1 in
  show) cat pid ;;
  stop) kill "$(cat pid)"; while kill -0 "$(cat pid)"; do sleep 0.1; done 2>/dev/null ;;
  start) VERBATIM_CONFIG=$MACHINE/verbatim.conf setsid bin/verbatim serve >/dev/null 2>&1 & echo $! >pid ;;
  is-failed) ! kill -0 "$(cat pid)" 2>/dev/null ;;
esac
`;

describe.skipIf(!canUnshare)('an upgrade of a systemd unit', () => {
  it.each<[what: string, newer: NewerProgram, code: number | null]>([
    ['stops and starts the unit', {}, 0],
    ['starts the unit if it is killed', KILLING, null],
    ['goes back if the unit fails', { first: '[ "$1" = serve ] && exit 1' }, 1],
  ])('%s', async (_what, newer, code) => {
    const made = await machine(newer, false);
    const { folder, program, database, port } = made;
    const bin = join(folder, 'bin');
    writeFileSync(join(bin, 'systemctl'), SYSTEMCTL, { mode: 0o755 });
    writeFileSync(join(folder, 'verbatim.conf'), `VERBATIM_PORT=${port}\n`, { mode: 0o600 });
    // /run is a folder of the test, in which systemd runs.
    const hide = 'mount -t tmpfs t /run && mkdir -p /run/systemd/system && exec "$@"';
    const through = [...unshare, 'sh', '-c', hide, 'sh'];
    const env = { ...made.env, MACHINE: folder, PATH: `${bin}:${made.env['PATH']}` };
    const inside = (args: string[]) => {
      const [unsharing = '', ...rest] = [...through, ...args];
      return spawnSync(unsharing, rest, { env, cwd: folder, encoding: 'utf8' });
    };
    inside([join(bin, 'systemctl'), 'start']);
    await expect.poll(() => healthOf(made)).toBe(200);
    const tables = tablesOf(database);
    const file = join(made.download, 'verbatim-linux-x64');
    const ran = inside([program, 'upgrade', file, '--signers', made.signers]);
    expect({ code: ran.status, said: ran.stderr }).toEqual({ code, said: expect.any(String) });
    await expect.poll(() => healthOf(made)).toBe(200);
    const asked = readFileSync(join(folder, 'asked'), 'utf8').split('\n');
    const restarts = asked.filter((words) => /^st(op|art) verbatim\.service$/.test(words));
    const once = ['stop verbatim.service', 'start verbatim.service'];
    expect(restarts).toEqual(code === 1 ? [...once, ...once] : once);
    expect(tablesOf(database)).toBe(code === 1 ? tables : tables + 1);
    expect(readFileSync(program, 'utf8') === made.before).toBe(code === 1);
  });
});

describe('an upgrade changes nothing', () => {
  const file = ({ download }: Machine): string => join(download, 'verbatim-linux-x64');
  it.each<[what: string, spoil: (made: Machine) => void, says: string]>([
    [
      'the file is not the signed one',
      (made) => appendFileSync(file(made), '#'),
      'is not the file that',
    ],
    [
      'the list was changed',
      ({ download }) => appendFileSync(join(download, 'SHA256SUMS'), '\n'),
      'signed',
    ],
    ['another key signed', ({ signers }) => writeFileSync(signers, OTHER_KEY), 'signed'],
    [
      'there is no signature',
      ({ download }) => rmSync(join(download, 'SHA256SUMS.sig')),
      'there is no file',
    ],
    ['there are no signers', ({ signers }) => rmSync(signers), 'there is no file'],
  ])('if %s', async (_what, spoil, says) => {
    const made = await machine({}, false);
    spoil(made);
    const { code, said } = upgrade(made);
    expect(code).toBe(1);
    expect(said).toContain(says);
    expect(namesIn(join(made.program, '..'))).toEqual(['verbatim']);
    expect(readFileSync(made.program, 'utf8')).toBe(made.before);
    expect(namesIn(made.folder).filter((name) => /Z\.db$|before/.test(name))).toEqual([]);
  });

  it('if dpkg owns the program', async () => {
    const made = await machine({}, false);
    const bin = join(made.folder, 'bin-of-dpkg');
    mkdirSync(bin);
    // Says of every file that a package owns it.
    writeFileSync(join(bin, 'dpkg-query'), '#!/bin/sh\nexit 0\n');
    chmodSync(join(bin, 'dpkg-query'), 0o755);
    made.env['PATH'] = `${bin}:${made.env['PATH']}`;
    const { code, said } = upgrade(made);
    expect(code).toBe(2);
    expect(said).toContain('belongs to a Debian package');
    expect(existsSync(`${made.program}.old`)).toBe(false);
  });

  it('if the new program is older', async () => {
    const made = await machine(
      { first: '[ "$1" = version ] && echo \'{"version":"0.1.0"}\' && exit' },
      false,
    );
    const { code, said } = upgrade(made);
    expect(code).toBe(2);
    expect(said).toContain('the file is 0.1.0, older than');
  });
});

const OTHER_KEY =
  'verbatim namespaces="verbatim" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB\n';
