import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  haproxyConfig,
  queryMessage,
  startupMessage,
} from '../../../scripts/cluster/haproxy-config.ts';

const config = haproxyConfig({
  searches: { host: '127.0.0.1', port: 8080 },
  nodes: [
    { name: 'node1', host: '198.51.100.11', port: 8080 },
    { name: 'node2', host: '198.51.100.12', port: 8080 },
  ],
  accounts: { host: '192.0.2.1', port: 5432 },
  databases: [{ name: 'a', host: '127.0.0.1', port: 5433 }],
});

describe('the configuration of HAProxy', () => {
  it('has a line for each node and each database', () => {
    expect(config).toContain('\n  server node1 198.51.100.11:8080 cookie node1\n');
    expect(config).toContain('\n  server node2 198.51.100.12:8080 cookie node2\n');
    expect(config).toContain('\n  server a 127.0.0.1:5433\n');
  });

  it('sends no request to two nodes', () => {
    expect(config).not.toMatch(/retry-on/);
  });

  it.skipIf(spawnSync('haproxy', ['-v']).status !== 0)('is one that HAProxy accepts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'verbatim-haproxy-'));
    try {
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(file, config);
      const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("messages of PostgreSQL's protocol", () => {
  it('have their length', () => {
    // Length 36, version 3.0, "user", "ada", "database", "postgres".
    expect(startupMessage('ada')).toBe(
      `0000002400030000${Buffer.from('user\0ada\0database\0postgres\0\0').toString('hex')}`,
    );
    expect(queryMessage('SELECT 1')).toBe(`510000000d${Buffer.from('SELECT 1\0').toString('hex')}`);
  });
});
