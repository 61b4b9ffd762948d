/** The way to PostgreSQL through TLS, with certificates of an authority of the test. It needs pgvector. */
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/measure/free-port.ts';
import { postgresUser } from '../../scripts/measure/postgres-programs.ts';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import type { Cluster } from '../accounts/postgres/postgres-cluster.ts';
import { createAuthority } from '../support/certificates.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';
import { DATABASE_LIMITS, startVectorCluster } from './vector-cluster.ts';

/** Others may look for the files of the authority in the folder. */
const PASSABLE = 0o755;
const PASSWORD = 'tide-table';

const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-tls-'));
const { certificateFile, issue } = createAuthority(folder);
const elsewhere = mkdtempSync(join(tmpdir(), 'verbatim-postgres-tls-'));
const stranger = createAuthority(elsewhere).certificateFile;
const port = await freePort();
const cluster = await start();

function start(): Promise<Cluster | undefined> {
  const issued = issue('server');
  chmodSync(folder, PASSABLE);
  if (postgresUser) chownSync(issued.keyFile, postgresUser.uid, postgresUser.gid);
  chmodSync(issued.keyFile, 0o600);
  return startVectorCluster({
    settings: [
      // The certificate names the first address and not the second.
      'listen_addresses=127.0.0.1,127.0.0.2',
      `port=${port}`,
      'ssl=on',
      `ssl_cert_file=${issued.certificateFile}`,
      `ssl_key_file=${issued.keyFile}`,
    ],
  });
}

/** The address of the cluster, which must prove itself with this authority. */
function addressAt(host: string, authority: string): string {
  return `postgres://verbatim:${PASSWORD}@${host}:${port}/postgres?sslmode=verify-full&sslrootcert=${authority}`;
}

beforeAll(async () => {
  if (cluster === undefined) return;
  // The tables of an index.
  const VERBATIM_INDEX = addressAt('127.0.0.1', certificateFile);
  await runJson(['index', 'stats'], { env: { VERBATIM_INDEX } });
});

afterAll(() => {
  cluster?.stop();
  for (const each of [folder, elsewhere]) rmSync(each, { recursive: true, force: true });
});

describe.skipIf(cluster === undefined)('PostgreSQL with a certificate', () => {
  it.each(['127.0.0.1', 'localhost'])('is reached through TLS at %s', async (host) => {
    const url = addressAt(host, certificateFile);
    const database = openDatabase({ url, ...DATABASE_LIMITS });
    const [row] = await database.query<{ ssl: boolean; version: string }>(
      'SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    await database.close();
    expect(row).toMatchObject({ ssl: true, version: expect.stringMatching(/^TLSv1\.[23]$/) });
  });

  it.each([
    ['of another authority', '127.0.0.1', stranger, 'certificate'],
    ['for another name', '127.0.0.2', certificateFile, 'does not match'],
  ])('is refused with one %s', async (_, host, authority, message) => {
    const VERBATIM_INDEX = addressAt(host, authority);
    const { stderr } = await runVerbatim(['index', 'stats'], { env: { VERBATIM_INDEX }, code: 1 });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(PASSWORD);
  });
});
