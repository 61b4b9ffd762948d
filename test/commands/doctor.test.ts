/** `verbatim doctor`: what it prints, beside a running server and in a read-only folder. */
import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { NamedFinding } from '../../src/commands/doctor/examine.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { createSmallDisk, obstacleToSmallDisk } from '../support/small-disk.ts';
import { useService } from '../support/use-service.ts';
import { runCommand, runVerbatim } from '../support/verbatim.ts';

const folder = temporaryFolder();
const LOCAL = ['--host', '127.0.0.1'];

describe('verbatim doctor', () => {
  const service = useService();

  it('says that the server of the database is ready', async () => {
    const { port } = new URL(service.url);
    const args = ['doctor', '--db', service.database, ...LOCAL, '--port', port];
    const { stdout, stderr } = await runCommand(args);
    expect(stderr).toBe('');
    expect(stdout).toContain(`\n✓ port         the server on 127.0.0.1:${port} is ready\n`);
    expect(stdout).toMatch(/\n(everything is in order|0 errors, \d warnings?)\n$/);
    // Colors are for terminals.
    expect(stdout).not.toContain('\u{1b}');
  });

  it('prints each problem with what to do, and exits with 1', async () => {
    const path = join(folder, 'none.db');
    const { stdout, stderr } = await runCommand(['doctor', '--db', path], { code: 1 });
    expect(stdout).toMatch(/^✗ files +there is no database at .*\n +→ create one: /m);
    expect(stderr).toMatch(/^verbatim: 1 error, \d warnings?\n$/);
    expect(existsSync(path)).toBe(false);
  });

  it('prints JSON for programs', async () => {
    const args = ['doctor', '--json', '--db', join(folder, 'none.db'), ...LOCAL];
    const { stdout } = await runCommand(args, { code: 1 });
    const { errors, findings } = JSON.parse(stdout) as { errors: number; findings: NamedFinding[] };
    expect(errors).toBe(1);
    expect(findings.find(({ check }) => check === 'files')).toMatchObject({ severity: 'error' });
  });
});

const obstacle = obstacleToSmallDisk();
describe.skipIf(obstacle !== undefined)('an ordinary user', () => {
  // In a user namespace of its own, even root has no more rights than an owner has.
  const through = ['unshare', '--user'];

  it('who cannot write the database is told so, and can still read it', async () => {
    const path = join(folder, 'readable.db');
    copyFileSync(inject('sampleIndex'), path);
    chmodSync(path, 0o444);
    const { stdout } = await runVerbatim(['doctor', '--db', path], { code: 1, through });
    expect(stdout).toContain(`✗ files        this user cannot write ${path}\n`);
    expect(stdout).toContain('✓ ledger');
    await runVerbatim(['index', 'stats', '--db', path], { through });
  });

  it('is told what a database in a read-only folder needs', async () => {
    const path = join(folder, 'verbatim.db');
    copyFileSync(inject('sampleIndex'), path);
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    const { stderr } = await runVerbatim(['index', 'stats', '--db', path], { code: 1, through });
    expect(stderr).toContain('read-only folder; make the folder writable, or use a backup');
    const { stdout } = await runVerbatim(['doctor', '--db', path], { code: 1, through });
    expect(stdout).toContain(`✗ files        this user cannot add files to ${folder}\n`);
  });

  it('is told that the disk is full', async () => {
    const disk = await createSmallDisk(16);
    onTestFinished(() => disk.end());
    copyFileSync(inject('sampleIndex'), join(disk.seenAs, 'verbatim.db'));
    disk.fill();
    const path = join(disk.folder, 'verbatim.db');
    const run = { code: 1, through: disk.through };
    const { stdout } = await runVerbatim(['doctor', '--db', path], run);
    expect(stdout).toContain(`✗ disk         0 MB free in ${disk.folder}\n`);
    expect(stdout).not.toContain('    at ');
  });
});
