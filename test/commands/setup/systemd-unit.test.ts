import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemdTimers } from '../../../src/commands/setup/systemd-timers.ts';
import { pathHiddenFromService, systemdUnit } from '../../../src/commands/setup/systemd-unit.ts';

/** What `systemd-analyze security` calls OK, in tenths; 100 is a service without any protection. */
const EXPOSURE_TENTHS_MAX = 20;

const folder = mkdtempSync(join(tmpdir(), 'verbatim unit $-'));
afterAll(() => rmSync(folder, { recursive: true }));
const program = join(folder, 'verbatim');
writeFileSync(program, '#!/bin/sh\n');
chmodSync(program, 0o755);

const options = {
  command: [program],
  settingsFile: '/etc/verbatim/verbatim.conf',
  port: 8080,
  drainTimeoutMs: 15_000,
};
const missing =
  spawnSync('systemd-analyze', ['--version']).status === 0
    ? ''
    : ' (skipped: systemd-analyze is not installed)';

function fileOf(unit: string): string {
  const path = join(folder, 'verbatim.service');
  writeFileSync(path, unit);
  return path;
}

describe('systemdUnit', () => {
  it('gives searches in flight their time before it kills', () => {
    expect(systemdUnit(options)).toContain('\nTimeoutStopSec=45\n');
    expect(systemdUnit({ ...options, drainTimeoutMs: 60_001 })).toContain('\nTimeoutStopSec=91\n');
  });

  it.each([
    [8080, 'CapabilityBoundingSet=\n'],
    [1024, 'CapabilityBoundingSet=\n'],
    [0, 'CapabilityBoundingSet=\n'],
    [443, 'CapabilityBoundingSet=CAP_NET_BIND_SERVICE\n'],
  ])('asks for the capability that port %s needs', (port, line) => {
    expect(systemdUnit({ ...options, port })).toContain(`\n${line}`);
  });

  it('is reloaded without a program that a small system lacks', () => {
    const reload = /^ExecReload=\/bin\/sh -c "kill -HUP \$\{MAINPID\}"$/m;
    expect(systemdUnit(options)).toMatch(reload);
  });

  it('quotes words of the command and percent signs', () => {
    const command = ['/opt/a $b/node', '/opt/100%/$x"y\\z.js'];
    const unit = systemdUnit({ ...options, command, settingsFile: '/etc/100%.conf' });
    expect(unit).toContain(String.raw`ExecStart="/opt/a $b/node" "/opt/100%%/$$x\"y\\z.js" serve`);
    expect(unit).toContain('\nLoadCredential=verbatim.conf:/etc/100%%.conf\n');
  });

  it.skipIf(missing !== '')(`is understood by systemd${missing}`, () => {
    for (const port of [8080, 443]) {
      const path = fileOf(systemdUnit({ ...options, port }));
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', path]);
      expect(String(stderr)).toBe('');
      expect(status).toBe(0);
    }
  });

  it.skipIf(missing !== '')(`and its timers are understood by systemd${missing}`, () => {
    const timers = systemdTimers(options);
    expect(timers.map(({ name }) => name)).toEqual([
      ...['verbatim-backup.service', 'verbatim-backup.timer'],
      ...['verbatim-index-add.service', 'verbatim-index-add.timer'],
      ...['verbatim-index-pull.service', 'verbatim-index-pull.timer'],
    ]);
    const paths = timers.map(({ name, text }) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths]);
    expect(String(stderr)).toBe('');
    expect(status).toBe(0);
    for (const { text } of timers) {
      for (const [, when = ''] of text.matchAll(/^OnCalendar=(.+)$/gm)) {
        execFileSync('systemd-analyze', ['calendar', when], { stdio: 'pipe' });
      }
    }
  });

  it.skipIf(missing !== '')(`exposes little, by systemd's own measure${missing}`, () => {
    const path = fileOf(systemdUnit(options));
    execFileSync('systemd-analyze', [
      ...['security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE_TENTHS_MAX}`, path],
    ]);
  });
});

describe('pathHiddenFromService', () => {
  it('finds what the unit would hide', () => {
    expect(pathHiddenFromService(['/usr/bin/node', '/root/verbatim'])).toBe('/root/verbatim');
    expect(pathHiddenFromService(['/home/ada/verbatim'])).toBe('/home/ada/verbatim');
    expect(pathHiddenFromService(['/usr/bin/node', '/opt/verbatim'])).toBeUndefined();
    expect(pathHiddenFromService(['/homes/verbatim'])).toBeUndefined();
  });
});
