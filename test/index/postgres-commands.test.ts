/**
 * The built program with an index on PostgreSQL: commands, and servers with their accounts in either
 * database. It needs pgvector.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Cluster } from '../accounts/postgres/postgres-cluster.ts';
import { copySampleIndex, postSearch, removeDatabase, startService } from '../support/service.ts';
import { runCommand, runCommandJson, runVerbatim } from '../support/verbatim.ts';
import { makeDatabase, startVectorCluster } from './vector-cluster.ts';

const cluster = await startVectorCluster();
const EMAIL = 'ada@example.org';
const CREDITS = 100;
const QUESTION = 'does sleep help memory';

let folder: string;
let sample: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-index-'));
  if (cluster === undefined) return;
  sample = await copySampleIndex();
  env = { VERBATIM_INDEX: await makeDatabase(cluster), VERBATIM_DB: join(folder, 'accounts.db') };
  await runCommand(['index', 'export', '--db', sample, '--out', join(folder, 'sample.jsonl')]);
  await runCommand(['index', 'add', join(folder, 'sample.jsonl')], { env });
});

afterAll(async () => {
  cluster?.stop();
  if (sample !== undefined) await removeDatabase(sample);
  rmSync(folder, { recursive: true, force: true });
});

interface Found {
  results: { d: string; q: string }[];
}

/** Adds the customer with a key, wherever the accounts are. */
async function createKey(where: Record<string, string>): Promise<string> {
  await runCommandJson(['customer', 'add', EMAIL, '--credits', String(CREDITS)], { env: where });
  return (await runCommandJson<{ secret: string }>(['key', 'create', EMAIL], { env: where }))
    .secret;
}

async function balanceAt(url: string, secret: string): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}` };
  const usage = await (await fetch(`${url}/v1/usage`, { headers })).json();
  return (usage as { balance: number }).balance;
}

describe('without a database', () => {
  it('names what is wrong with the settings', async () => {
    const refused = async (args: string[], environment: Record<string, string>): Promise<string> =>
      (await runVerbatim(args, { env: environment, code: 2 })).stderr;
    const db = ['--db', join(folder, 'none.db')];
    const VERBATIM_INDEX = 'postgres://verbatim@/none';
    expect(await refused(['search', 'x', ...db], { VERBATIM_INDEX: 'mysql://' })).toContain(
      'VERBATIM_INDEX must be empty, or begin with postgres://',
    );
    const learning = { VERBATIM_INDEX, VERBATIM_LEARN: '1' };
    expect(await refused(['serve', ...db], learning)).toContain('VERBATIM_LEARN adds to the index');
    const copies = { VERBATIM_INDEX, VERBATIM_READ_ONLY_INDEX: folder };
    expect(await refused(['serve', ...db], copies)).toContain('name two indexes');
    for (const command of [['optimize'], ['reembed'], ['publish', folder], ['pull', folder]]) {
      expect(await refused(['index', ...command], { VERBATIM_INDEX })).toContain(
        `\`index ${command[0]}\` is for an index in an SQLite file`,
      );
    }
  });

  it('says that PostgreSQL cannot be reached, without the password', async () => {
    const VERBATIM_INDEX = `postgres://verbatim:secret@/none?host=${folder}`;
    const { stderr } = await runCommand(['search', QUESTION], {
      env: { VERBATIM_INDEX },
      code: 1,
    });
    expect(stderr).toContain('PostgreSQL: ');
    expect(stderr).not.toContain('secret');
  });
});

describe.skipIf(cluster === undefined)('an index on PostgreSQL', () => {
  it('has the same documents as one in a file, and is sound', async () => {
    const { stdout } = await runCommand(['index', 'export'], { env });
    const inFile = await runCommand(['index', 'export', '--db', sample]);
    expect(stdout.split('\n').sort()).toEqual(inFile.stdout.split('\n').sort());
    expect(await runCommandJson(['index', 'verify'], { env })).toMatchObject({ problems: [] });
    const { documents, sentences } = await runCommandJson<{ documents: number; sentences: number }>(
      ['index', 'stats', '--db', sample],
    );
    expect(await runCommandJson(['index', 'stats'], { env })).toMatchObject({
      documents,
      sentences,
    });
  });

  it('is kept up to date from a source', async () => {
    const own = {
      VERBATIM_INDEX: await makeDatabase(cluster as Cluster),
      VERBATIM_DB: join(folder, 'none.db'),
    };
    const papers = join(folder, 'papers');
    mkdirSync(papers);
    const write = (titles: readonly string[]) =>
      writeFileSync(
        join(papers, 'a.jsonl'),
        titles.map((title, at) => `${JSON.stringify({ id: `10.5555/p${at}`, title })}\n`).join(''),
      );
    write(['Tides at harbors', 'Waves at harbors', 'Winds at harbors']);
    await runCommand(['source', 'add', papers, '--yes'], { env: own });
    write(['Tides at harbors', 'Waves at harbors']);
    const [{ state }] = await runCommandJson<[{ state: object }]>(['source', 'update'], {
      env: own,
    });
    expect(state).toMatchObject({ papers: 2, run: { outcome: 'done' } });
    expect(await runCommandJson(['index', 'stats'], { env: own })).toMatchObject({ documents: 2 });
    const changes = await runCommandJson<{ changes: object[] }>(['index', 'changes'], { env: own });
    expect(changes.changes.slice(-1)).toMatchObject([{ kind: 'withdrawn', reason: 'removed' }]);
  });

  it('gives the same answers as one in a file', async () => {
    for (const args of [
      ['search', QUESTION],
      ['paper', 'sample:psychology-sleep-and-forgetting'],
    ]) {
      const [onPostgres, inFile] = await Promise.all([
        runCommandJson(args, { env }),
        runCommandJson([...args, '--db', sample]),
      ]);
      expect(onPostgres).toEqual(inFile);
    }
  });

  it('tells commands that it has no tables before the first build', async () => {
    const VERBATIM_INDEX = await makeDatabase(cluster as Cluster);
    const { stderr } = await runCommand(['search', QUESTION], {
      env: { VERBATIM_INDEX },
      code: 1,
    });
    expect(stderr).toContain('has no tables yet; run: verbatim index add FILE');
  });

  it('is served with accounts in a file, says that it is down, and comes back', async () => {
    const secret = await createKey(env);
    const service = await startService(env['VERBATIM_DB'] ?? '', env);
    onTestFinished(async () => {
      await service.end();
    });
    const health = await (await fetch(`${service.url}/health`)).json();
    expect(health).toMatchObject({ status: 'ok', documents: 214, index_engine: 'postgresql' });
    const response = await postSearch(service.url, secret);
    expect(((await response.json()) as Found).results[0]?.d).toMatch(/sleep/);
    await expect.poll(() => balanceAt(service.url, secret)).toBe(CREDITS - 1);
    cluster?.pause();
    const readiness = async (): Promise<number> => (await fetch(`${service.url}/health`)).status;
    await expect.poll(readiness).toBe(503);
    for (let round = 0; round < 3; round++) {
      const refused = await postSearch(service.url, secret);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('x-error-code')).toBe('degraded');
    }
    const verified = await fetch(`${service.url}/v1/verify`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ items: [{ quote: 'They rise.', id: '10.5555/tides' }] }),
    });
    expect(verified.status).toBe(503);
    cluster?.resume();
    await expect.poll(readiness).toBe(200);
    const again = await postSearch(service.url, secret);
    expect(again.status, await again.text()).toBe(200);
    await expect.poll(() => balanceAt(service.url, secret)).toBe(CREDITS - 2);
    expect(service.log.filter(({ event }) => event === 'thread_died')).toEqual([]);
  });

  it('is served with accounts on PostgreSQL, while documents are added and removed', async () => {
    const shared = {
      ...env,
      VERBATIM_ACCOUNTS: await makeDatabase(cluster as Cluster),
      VERBATIM_DB: join(folder, 'nothing-yet.db'),
    };
    const secret = await createKey(shared);
    const service = await startService(shared.VERBATIM_DB, shared);
    onTestFinished(async () => {
      await service.end();
    });
    const find = async (): Promise<(string | undefined)[]> => {
      const body = { query: 'blorbic resonance of the quux lattice', limit: 1 };
      const response = await postSearch(service.url, secret, { body });
      return ((await response.json()) as Found).results.map(({ d }) => d);
    };
    const { results } = (await (await postSearch(service.url, secret)).json()) as Found;
    expect(results.length).toBeGreaterThan(0);
    const added = join(folder, 'added.csv');
    const text =
      'id,title,abstract,year\n10.5555/quux,Blorbic resonance,The quux lattice rings.,2020\n';
    writeFileSync(added, text);
    await runCommand(['index', 'add', added], { env: shared });
    expect(await find()).toEqual(['10.5555/quux']);
    await runCommand(['index', 'remove', '10.5555/quux'], { env: shared });
    expect(await find()).not.toEqual(['10.5555/quux']);
    const { stdout } = await runCommand(['index', 'add', added], { env: shared });
    expect(stdout).toContain('1 kept away');
    const why = await runCommand(['index', 'why', '10.5555/quux'], { env: shared });
    expect(why.stdout).toContain('removed, and kept out');
    const listed = await fetch(`${service.url}/v1/changes?since=2026-01-01&limit=1000`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    const { changes } = (await listed.json()) as { changes: object[] };
    expect(changes).toHaveLength(215);
    expect(changes.at(-1)).toMatchObject({ d: '10.5555/quux', kind: 'withdrawn' });
    const moss = (title: string): string =>
      `title,authors,year,abstract\n${title},Ada Moss,2020,${'Moss grew on the stones of a wall. '.repeat(4)}\n`;
    const table = join(folder, 'table.csv');
    writeFileSync(table, `${moss('Moss')}Fern,Ada Fern,2020,\nHeath,Ada Heath,2020,\n`);
    await runCommand(['index', 'add', table], { env: shared });
    writeFileSync(table, `${moss('Moss on walls')}Fern,Ada Fern,2020,\n`);
    const edited = await runCommand(['index', 'add', table], { env: shared });
    expect(edited.stdout).toContain('0 added, 1 updated, 1 unchanged');
    const complete = ['index', 'add', table, '--complete'];
    const dry = await runCommand([...complete, '--dry-run'], { env: shared });
    expect(dry.stdout).toContain('to remove: 1 of 3 records are no longer listed, such as "Heath"');
    const done = await runCommand([...complete, '--yes'], { env: shared });
    expect(done.stdout).toContain('1 deleted');
    expect((await runCommand(['index', 'verify'], { env: shared })).stdout).toContain('is sound');
  });
});
