/** The database file, the disk that it is on, and the index in it. */
import { stat, statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import type { EndedCheck, KnownDamage } from '../database/damage/damage-register.ts';
import type { LastBackup } from '../database/sqlite/last-backup.ts';
import type { IndexTotals } from '../index/index-facts.ts';
import type { Source, SourceState } from '../sources/ports/source.ts';
import { counterAtScrape, gaugeAtScrape } from './read-at-scrape.ts';

export interface DatabaseSources {
  /** Path of the database. */
  database: string;
  /** What is known of damage to what is stored. */
  damage: () => readonly KnownDamage[];
  /** The last check of the whole file; undefined if none has come to its end. */
  lastCheck: () => EndedCheck | undefined;
  /** How often a damaged document was left out of an answer. */
  documentsLeftOut: () => number;
  lastBackup: () => LastBackup | undefined;
  /** When the certificate in use ends, in milliseconds since 1970; undefined without TLS. */
  certificateEnd: () => number | undefined;
  totals: () => Promise<IndexTotals>;
  /** The time of the last build of the index, in milliseconds since 1970; undefined if none was. */
  lastBuildAt: () => Promise<number | undefined>;
  /** What is fetched into the index. */
  fetchedSources: () => Promise<Source[]>;
}

export function registerDatabaseMetrics(registry: Registry, sources: DatabaseSources): void {
  const { database, damage, documentsLeftOut, lastBackup, certificateEnd } = sources;
  const { lastCheck, totals, lastBuildAt } = sources;
  gaugeAtScrape(registry, {
    name: 'verbatim_database_size_bytes',
    help: 'Size of the database file.',
    read: async () => (await stat(database)).size,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_database_wal_size_bytes',
    help: 'Size of the write-ahead log beside the database.',
    read: async () => (await stat(`${database}-wal`)).size,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_database_disk_free_bytes',
    help: 'Space that is left on the disk of the database.',
    read: async () => {
      const { bavail, bsize } = await statfs(database);
      return bavail * bsize;
    },
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_damaged_parts',
    help: '1 for each part of what is stored that is known to be damaged. The label blocking says whether searches or the ledger need it.',
    labelNames: ['part', 'blocking'],
    read: () =>
      damage().map(({ part, isBlocking }) => ({
        labels: { part, blocking: String(isBlocking) },
        value: 1,
      })),
  });
  registerFileCheckMetrics(registry, lastCheck);
  counterAtScrape(registry, {
    name: 'verbatim_documents_left_out_total',
    help: 'How often a document was left out of an answer because what is stored of it is damaged.',
    read: documentsLeftOut,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_database_last_backup_timestamp_seconds',
    help: 'When `verbatim backup` last copied the database, in seconds since 1970.',
    read: () => seconds(lastBackup()?.at),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_certificate_end_timestamp_seconds',
    help: 'When the certificate in use ends, in seconds since 1970.',
    read: () => seconds(certificateEnd()),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_index_documents',
    help: 'Documents in the index.',
    read: async () => (await totals()).documents,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_index_sentences',
    help: 'Sentences in the index.',
    read: async () => (await totals()).sentences,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_index_last_build_timestamp_seconds',
    help: 'When the last build of the index ended, or began if it has not ended, in seconds since 1970.',
    read: async () => seconds(await lastBuildAt()),
  });
  registerSourceMetrics(registry, sources);
}

function registerSourceMetrics(
  registry: Registry,
  { fetchedSources }: Pick<DatabaseSources, 'fetchedSources'>,
): void {
  // A scrape reads all metrics at the same time, and these with one read.
  let reading: Promise<Source[]> | undefined;
  const register = (name: string, help: string, figureOf: (state: SourceState) => number | null) =>
    gaugeAtScrape(registry, {
      name,
      help,
      labelNames: ['source'],
      async read() {
        reading ??= fetchedSources().finally(() => {
          reading = undefined;
        });
        return (await reading).flatMap(({ name: source, state }) => {
          const value = figureOf(state);
          return value === null ? [] : [{ labels: { source }, value }];
        });
      },
    });
  register(
    'verbatim_source_last_success_timestamp_seconds',
    'When a source was last fetched completely, in seconds since 1970; absent before the first time.',
    ({ succeededAt }) => (succeededAt === null ? null : succeededAt / 1000),
  );
  register(
    'verbatim_source_failures',
    'Runs of a source in a row that failed, or stopped because they would replace too much.',
    ({ failures }) => failures,
  );
}

function registerFileCheckMetrics(
  registry: Registry,
  lastCheck: DatabaseSources['lastCheck'],
): void {
  const ofLastCheck = (read: (check: EndedCheck) => number) => () => {
    const check = lastCheck();
    return check === undefined ? [] : read(check);
  };
  gaugeAtScrape(registry, {
    name: 'verbatim_file_check_timestamp_seconds',
    help: 'When the last check of the database file ended that came to the end of the file, in seconds since 1970; absent before the first.',
    read: ofLastCheck(({ endedAt }) => endedAt / 1000),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_file_check_duration_seconds',
    help: 'How long that check took, with its pauses.',
    read: ofLastCheck(({ ms }) => ms / 1000),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_file_check_damaged_parts',
    help: 'Parts that that check found damaged.',
    read: ofLastCheck(({ damagedParts }) => damagedParts),
  });
}

/** Returns a time for Prometheus; no sample if there is none. */
function seconds(milliseconds: number | undefined): number | [] {
  return milliseconds === undefined ? [] : milliseconds / 1000;
}
