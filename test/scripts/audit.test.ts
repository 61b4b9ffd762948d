/** `npm run audit` with a registry of the test. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';

const script = resolve(import.meta.dirname, '../../scripts/audit.mjs');
const ADVISORY = {
  id: 7,
  url: 'https://example.org/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'reads beyond the end',
  severity: 'high',
  vulnerable_versions: '*',
};

const PACKAGE = {
  name: 'saxes',
  'dist-tags': { latest: '6.0.0' },
  versions: { '6.0.0': { name: 'saxes', version: '6.0.0' } },
};

interface Exception {
  id: string;
  reason?: string;
  until?: string;
}

/** Starts a registry that knows one vulnerability of a package that is asked about; null: it does not tell. */
async function startRegistry(vulnerable: string | null): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (vulnerable === null) return response.writeHead(405).end();
      // npm asks for all versions of a vulnerable package.
      if (request.method === 'GET') return response.writeHead(200).end(JSON.stringify(PACKAGE));
      const asked = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString());
      const found = vulnerable in asked ? { [vulnerable]: [ADVISORY] } : {};
      return response.writeHead(200).end(JSON.stringify(found));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function audit(
  vulnerable: string | null,
  exceptions: Exception[] = [],
): Promise<{ code: number | null; said: string }> {
  const registry = await startRegistry(vulnerable);
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'exceptions.json');
  writeFileSync(file, JSON.stringify(exceptions));
  // npm keeps answers of the registry.
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: folder };
  const child = spawn(process.execPath, [script, '--exceptions', file], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, said };
}

const ID = 'GHSA-aaaa-bbbb-cccc';
const exception = { id: ID, reason: 'we never read', until: '2999-12-31' };

it('succeeds if the registry knows nothing of our packages', async () => {
  expect(await audit('another-package')).toEqual({
    code: 0,
    said: 'audit: no known vulnerabilities, with 0 exceptions\n',
  });
});

it('fails for a vulnerability and names it', async () => {
  expect(await audit('saxes')).toEqual({
    code: 1,
    said: `audit: saxes: reads beyond the end (high, ${ID})\n`,
  });
});

it('takes an exception that has a reason and has not ended', async () => {
  expect((await audit('saxes', [exception])).code).toBe(0);
});

it.each<[what: string, Exception, says: string]>([
  ['that has ended', { ...exception, until: '2020-01-01' }, 'ended on 2020-01-01: we never read'],
  ['without a reason', { id: ID, until: '2999-12-31' }, 'needs a reason and a day'],
  ['without an end', { id: ID, reason: 'we never read' }, 'needs a reason and a day'],
  ['of another vulnerability', { ...exception, id: 'GHSA-x' }, 'concerns nothing any more'],
])('fails for an exception %s', async (_what, wrong, says) => {
  const { code, said } = await audit('saxes', [wrong]);
  expect(code).toBe(1);
  expect(said).toContain(says);
});

it('says that nothing was checked, and does not succeed, if the registry does not tell', async () => {
  const { code, said } = await audit(null);
  expect(code).toBe(3);
  expect(said).toContain('NOTHING WAS CHECKED');
});
