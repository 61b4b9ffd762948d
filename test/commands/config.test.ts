import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings, settingsTable } from '../../src/settings/config.ts';
import { plain } from '../support/command-line.ts';
import { nothingSet, runCommand } from '../support/verbatim.ts';

const SECRET = 'sk_test_do_not_show';

const folder = mkdtempSync(join(tmpdir(), 'verbatim-config-'));
const path = join(folder, 'verbatim.conf');
beforeAll(() => {
  const text = `# mine\nVERBATIM_DB=papers.db\nVERBATIM_STRIPE_SECRET_KEY=${SECRET}\nVERBATIM_HOST=::1\n`;
  writeFileSync(path, text, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('verbatim config', () => {
  it('prints what is in effect, with the origin of each value and no secret', async () => {
    const args = ['config', '--config', path, '--changed', '--port', '9000'];
    const { stdout, stderr } = await runCommand(args);
    expect(stderr).toBe('');
    for (const fact of [
      `settings file: ${path}\n`,
      `VERBATIM_DB ${folder}/papers.db (file, line 2)\n VERBATIM_HOST ::1 (file, line 4)\n`,
      'VERBATIM_PORT 9000 (option)\n',
      'VERBATIM_STRIPE_SECRET_KEY ******** (file, line 3)\n',
    ]) {
      expect(plain(stdout)).toContain(fact);
    }
    expect(stdout).not.toContain('(default)');
  });

  it('prints every setting', async () => {
    const { stdout } = await runCommand(['config', '--config', path]);
    for (const { variable } of Object.values(settingsTable)) {
      expect(stdout).toMatch(new RegExp(`^  ${variable} +\\S`, 'm'));
    }
    expect(stdout).toContain('  (default)\n');
    expect(stdout).not.toContain(SECRET);
    // An empty secret is no secret: it tells that the setting is off.
    expect(stdout).toMatch(/^ {2}VERBATIM_BRAVE_KEY +\(empty\) {2}\(default\)$/m);
  });

  it('prints JSON for programs', async () => {
    const args = ['config', '--config', path, '--changed', '--learn', '--json'];
    const { stdout } = await runCommand(args, { env: nothingSet });
    expect(JSON.parse(stdout)).toEqual({
      file: path,
      settings: [
        { variable: 'VERBATIM_DB', value: join(folder, 'papers.db'), origin: 'file', line: 2 },
        { variable: 'VERBATIM_HOST', value: '::1', origin: 'file', line: 4 },
        { variable: 'VERBATIM_LEARN', value: true, origin: 'option', line: null },
        { variable: 'VERBATIM_STRIPE_SECRET_KEY', value: '********', origin: 'file', line: 3 },
      ],
    });
  });

  it('says so if there is nothing to print', async () => {
    const { stdout } = await runCommand(['config', '--config', 'none', '--changed'], {
      env: nothingSet,
    });
    expect(stdout).toContain('all settings have their defaults');
  });

  it('prints the limits, with unit and reason', async () => {
    const { stdout } = await runCommand(['config', '--limits']);
    expect(stdout).toMatch(/^Service\n {2}\w+ +\d+ \w+: \S/);
    expect(stdout).toMatch(/^ {2}ledgerRetryMs +1000 ms: \S/m);
    const { limits } = JSON.parse((await runCommand(['config', '--limits', '--json'])).stdout);
    expect(limits).toContainEqual({
      part: 'Service',
      name: 'ledgerRetryMs',
      value: 1_000,
      unit: 'ms',
      why: expect.any(String),
    });
    const names = limits.map(({ name }: { name: string }) => name);
    expect([...names, ...Object.keys(settingsTable)].sort()).toEqual(
      Object.keys(readSettings({}, {})).sort(),
    );
  });

  it('tells the environment from the file', async () => {
    const env = { VERBATIM_CONFIG: path, VERBATIM_HOST: '127.0.0.1' };
    const { stdout } = await runCommand(['config', '--changed'], { env });
    expect(stdout).toMatch(/^ {2}VERBATIM_HOST +127\.0\.0\.1 {2}\(environment\)$/m);
  });

  it('warns if others can read the secrets', async () => {
    const own = join(folder, 'open.conf');
    writeFileSync(own, `VERBATIM_BRAVE_KEY=${SECRET}\n`);
    chmodSync(own, 0o644);
    const { stderr } = await runCommand(['config', '--config', own]);
    expect(JSON.parse(stderr)).toMatchObject({
      event: 'settings_file_open_to_others',
      path: own,
      advice: `run: chmod 600 ${own}`,
    });
    writeFileSync(own, 'VERBATIM_PORT=1\n');
    expect((await runCommand(['config', '--config', own])).stderr).toBe('');
  });

  it('ends with exit code 2 and one line for a file that cannot be used', async () => {
    const own = join(folder, 'wrong.conf');
    writeFileSync(own, 'VERBATIM_PROT=1\n');
    const { stdout, stderr } = await runCommand(['config', '--config', own], { code: 2 });
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `verbatim: ${own}:1: there is no setting VERBATIM_PROT; did you mean VERBATIM_PORT?\n`,
    );
  });
});

it('any command reads the settings file', async () => {
  const args = ['index', 'stats', '--config', path];
  const { stderr } = await runCommand(args, { code: 1 });
  expect(stderr).toContain(`there is no database at ${folder}/papers.db`);
});
