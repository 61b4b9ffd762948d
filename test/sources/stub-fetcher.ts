/** A fetcher with the real transport for the steps of a provider, without an index. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProviderRecords } from '../../src/lanes/records/lane-records.ts';
import { createInMemoryRecords } from '../../src/lanes/resilience/in-memory-records.ts';
import { createHttpClient } from '../../src/lanes/transport/http-client.ts';
import { readSettings, type Settings } from '../../src/settings/config.ts';
import { createFetcher } from '../../src/sources/fetcher.ts';
import type { Fetcher, SourceProvider } from '../../src/sources/ports/provider.ts';
import type { SourceOptions, SourceQuery } from '../../src/sources/ports/source.ts';
import { queryOf } from '../../src/sources/providers.ts';

export interface StubFetcherOptions {
  provider: SourceProvider;
  options: SourceOptions;
  settings?: Partial<Settings> | undefined;
  records?: ProviderRecords | undefined;
}

/** Runs `work` with a fetcher that does not wait between requests. */
export async function withFetcher<Result>(
  { provider, options, settings: own, records = createInMemoryRecords() }: StubFetcherOptions,
  work: (fetcher: Fetcher, settings: Settings, query: SourceQuery) => Promise<Result>,
): Promise<Result> {
  const gaps = { arxivGapMs: 0, webGapMs: 0, sourceGapMs: 0 };
  const quick = { laneContact: 'ada@example.org', laneBackoffMs: 1, ...gaps };
  const settings = readSettings({ ...quick, ...own }, {});
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-steps-'));
  const client = createHttpClient({
    userAgent: 'verbatim-test',
    timeoutMs: 60_000,
    responseBytesMax: settings.sourcePageBytesMax,
    trustedOrigins: new Set([new URL(options.url ?? '').origin]),
  });
  const fetcher = createFetcher({
    client,
    settings,
    pace: provider.pace(options),
    records,
    folder,
    signal: new AbortController().signal,
    run: { requests: 0, bytes: 0 },
    onWait: () => {},
    keepAlive: async () => {},
  });
  try {
    const query = queryOf({ provider: provider.name, options }, settings);
    return await work(fetcher, settings, query);
  } finally {
    await client.close();
    await rm(folder, { recursive: true });
  }
}
