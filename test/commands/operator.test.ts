/** `verbatim operator`: adding, listing, linking, and removing those who sign in at /operator. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListedOperator } from '../../src/accounts/sql/operators.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { type CommandRow, checkCommands, failure, usageError } from '../support/command-line.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const database = join(temporaryFolder(), 'operators.db');
const ROOT = 'root@example.org';

const LINK = 'http://localhost:8080/operator/link?token=TOKEN\n';

describe('the operator commands, one after another', () => {
  const unknown = failure('no operator nobody@example.org');
  const rows: CommandRow[] = [
    [
      ['operator', 'add', 'Root@Example.org'],
      { out: [`added ${ROOT}`, 'until TIME UTC', LINK], err: 'created a new database: DATABASE\n' },
    ],
    [['operator', 'add', ROOT], failure(`the operator ${ROOT} already exists`)],
    [['operator', 'add', 'nobody'], usageError('"nobody" is not an e-mail address')],
    [['operator', 'link', ROOT.toUpperCase()], { out: ['until TIME UTC', LINK] }],
    [['operator', 'link', 'nobody@example.org'], unknown],
    [['operator', 'list'], { out: `${ROOT} TIME has a link 0\n` }],
    // An operator is no customer.
    [['customer', 'link', ROOT], failure(`no customer ${ROOT}`)],
    [['operator', 'remove', 'nobody@example.org'], unknown],
  ];
  checkCommands(() => database, rows);

  it('print the same as JSON, and are in the trail', async () => {
    const at = ['--db', database];
    const env = { VERBATIM_PUBLIC_URL: 'https://search.example.org' };
    const added = await runCommandJson<{ email: string; link: { url: string } }>(
      ['operator', 'add', 'eve@example.org', ...at],
      { env },
    );
    expect(added.link.url).toMatch(
      /^https:\/\/search\.example\.org\/operator\/link\?token=\S{43}$/,
    );
    const listed = await runCommandJson<ListedOperator[]>(['operator', 'list', ...at]);
    expect(listed.map(({ email, enrolledAt }) => [email, enrolledAt])).toEqual([
      [ROOT, null],
      ['eve@example.org', null],
    ]);
    await runCommand(['operator', 'remove', 'EVE@example.org', ...at]);
    const trail = await runCommandJson<{ actor: string; action: string; details: string }[]>([
      ...['operator', 'trail', ...at],
    ]);
    expect(trail.map(({ actor, action, details }) => [actor, action, details])).toEqual([
      ['command line', 'operator remove', 'eve@example.org'],
      ['command line', 'operator add', 'eve@example.org'],
      ['command line', 'operator link', ROOT],
      ['command line', 'operator add', ROOT],
    ]);
  });

  it('refuse an address of the service that is none, before anything changes', async () => {
    const env = { VERBATIM_PUBLIC_URL: 'search.example.org' };
    const args = ['operator', 'add', 'zoe@example.org', '--db', database];
    const { stderr } = await runCommand(args, { env, code: 2 });
    expect(stderr).toContain('VERBATIM_PUBLIC_URL must be');
    const listed = await runCommandJson<ListedOperator[]>(['operator', 'list', '--db', database]);
    expect(listed.map(({ email }) => email)).toEqual([ROOT]);
  });
});
