/** The samples of a server of the last 24 hours, with a quiet night. */
import { addServerSample } from '../../src/accounts/sql/server-samples.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { writeSample } from '../../src/metrics/server-sample.ts';

const SAMPLES = 1_440;
const MINUTE_MS = 60_000;

export function addSamples(db: Connection, now: number): void {
  db.transaction(() => {
    for (let minutesAgo = SAMPLES; minutesAgo > 0; minutesAgo--) {
      const hour = ((SAMPLES - minutesAgo) / 60) % 24;
      const searches = Math.round(20 + 18 * Math.sin(((hour - 6) / 12) * Math.PI));
      const endedAt = now - minutesAgo * MINUTE_MS;
      const sample = {
        endedAt,
        searches,
        latencies: { '0.01': Math.ceil(searches / 2), '0.05': Math.floor(searches / 2) },
        refused: minutesAgo % 50 === 0 ? 2 : 0,
        failed: minutesAgo === 600 ? 3 : 0,
        calls: searches,
        callsFailed: 0,
        waiting: minutesAgo % 90 === 0 ? 4 : 0,
        searchesInFlight: 0,
        memoryBytes: 4.6e8 + 1e6 * (searches % 7),
        databaseBytes: 9.4e8 + 1e4 * (SAMPLES - minutesAgo),
        walBytes: 1e5 * searches,
      };
      addServerSample(db, { endedAt, numbers: writeSample(sample), before: 0 });
    }
  }).immediate();
}
