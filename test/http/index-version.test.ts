/** X-Index-Version: the same while the index is, another one after each write. */
import { describe, expect, it } from 'vitest';
import { jsonLines, scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import { type Caller, getUsage, search, send, untilUsage } from './contract.ts';

let caller: Caller;

const service = useService({
  fill: createCustomer,
  ready: ({ url }, { secret }) => {
    caller = { url, secret };
  },
});

async function versionOfSearch(): Promise<unknown> {
  return (await search(caller)).headers['x-index-version'];
}

async function versionOfHealth(): Promise<unknown> {
  return (await send(service.url, { path: '/health' })).headers['x-index-version'];
}

describe('X-Index-Version', () => {
  it('is the same for searches and /health, whatever happens to accounts', async () => {
    const version = await versionOfSearch();
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    await untilUsage(caller, { requests: 1 });
    expect(await versionOfSearch()).toBe(version);
    expect(await versionOfHealth()).toBe(version);
  });

  it('changes with every write to the index, and never comes back', async () => {
    const folder = await scratchFolder();
    const paper = { id: 'tide-tables', title: 'Tide tables', abstract: 'The tide rose at noon.' };
    const [file] = (await writeFiles(folder, { 'tides.jsonl': jsonLines([paper]) })) as [string];
    const versions = [await versionOfSearch()];
    const changes = [
      ['add', file],
      ['remove', paper.id],
      ['remove', '--restore', paper.id],
      ['add', file],
    ];
    for (const change of changes) {
      await runVerbatim(['index', ...change, '--db', service.database]);
      const version = await versionOfSearch();
      expect(await versionOfHealth()).toBe(version);
      versions.push(version);
    }
    expect(new Set(versions).size).toBe(versions.length);
  });

  it('is on no response that has nothing of the index', async () => {
    const others = [await search(caller, {}), await getUsage(caller)];
    others.push(await send(service.url, { path: '/health?live' }));
    for (const { headers } of others) expect(headers).not.toHaveProperty('x-index-version');
  });
});
