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
import type { SourceOptions } from '../../src/sources/ports/source.ts';

export interface StubFetcherOptions {
  provider: SourceProvider;
  options: SourceOptions;
  settings?: Partial<Settings> | undefined;
  records?: ProviderRecords | undefined;
}

/** Runs `work` with a fetcher that does not wait between requests. */
export async function withFetcher<Result>(
  { provider, options, settings: own, records = createInMemoryRecords() }: StubFetcherOptions,
  work: (fetcher: Fetcher, settings: Settings) => Promise<Result>,
): Promise<Result> {
  const quick = { laneContact: 'ada@example.org', sourceRetryMs: 1, laneBackoffMs: 1 };
  const settings = readSettings({ ...quick, ...own }, {});
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-steps-'));
  const pace = typeof provider.pace === 'function' ? provider.pace(options) : provider.pace;
  const client = createHttpClient({
    userAgent: 'verbatim-test',
    timeoutMs: 60_000,
    responseBytesMax: settings.sourcePageBytesMax,
    trustedOrigins: new Set([new URL(options.url ?? '').origin]),
  });
  const fetcher = createFetcher({
    client,
    limits: settings,
    records,
    subject: pace.subject,
    backoffSubject: pace.subject,
    gapMs: 0,
    requestsPerDayMax: 0,
    quotaOf: pace.quotaOf ?? (() => ({})),
    folder,
    signal: new AbortController().signal,
    onWait: () => {},
    onRequest: () => {},
    onBytes: () => {},
    keepAlive: async () => {},
  });
  try {
    return await work(fetcher, settings);
  } finally {
    await client.close();
    await rm(folder, { recursive: true });
  }
}
