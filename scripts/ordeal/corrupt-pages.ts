/** Damages pages of an index: searches may fail, but the server stays up and charges nobody for it. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { auditServed, createCustomer } from '../measure/accounts.ts';
import { createClient, searchRequest } from '../measure/clients.ts';
import { runVerbatim } from '../measure/processes.ts';
import { createRandom } from '../measure/random.ts';
import { countsOf, say } from '../measure/report.ts';
import { sampleTitles } from '../measure/sample.ts';
import type { Ordeal, SectionReport } from './ordeal.ts';

const PAGES = 12;
const DAMAGED_BYTES = 64;
const EXPECTED = ['200', '500', '503'];

export async function corruptPages(ordeal: Ordeal): Promise<SectionReport> {
  say('  corrupted pages …');
  const database = await ordeal.copyIndex('pages');
  const secret = createCustomer(database, 'pages');
  damage(database, ordeal.options.seed);
  const { port, stop } = await ordeal.serve(database, { env: { VERBATIM_WARM_UP_SEARCHES: '0' } });
  const client = createClient(port);
  const statuses: Record<string, number> = {};
  for (const query of sampleTitles()) {
    const { status } = await client.send(searchRequest(query, { port, secret }));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  client.close();
  await stop();
  const verified = await runVerbatim(['index', 'verify', '--db', database]).then(
    () => 'nothing',
    () => 'the damage',
  );
  const wrong = [
    ...auditServed(database, statuses['200'] ?? 0),
    ...Object.keys(statuses)
      .filter((status) => !EXPECTED.includes(status))
      .map((status) => `a search got ${status}`),
    ...(verified === 'the damage' ? [] : ['index verify found nothing']),
  ];
  const value = `searches ${countsOf(statuses)}; index verify finds ${verified}`;
  return {
    rows: [{ measure: `${PAGES} corrupted pages of the index`, value }],
    wrong: wrong.map((sentence) => `corrupted pages: ${sentence}`),
  };
}

/** Overwrites the middle of some pages of the index. Pages of the accounts stay as they are. */
function damage(path: string, seed: number): void {
  const random = createRandom(`pages ${seed}`);
  const db = new Database(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const pages = db
    .prepare("SELECT pageno FROM dbstat WHERE name IN ('documents', 'postings', 'signals')")
    .pluck()
    .all() as number[];
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const file = openSync(path, 'r+');
  for (let i = 0; i < PAGES; i++) {
    const page = pages[random.below(pages.length)] ?? 0;
    const position = (page - 1) * pageBytes + pageBytes / 2;
    if (position < statSync(path).size) {
      writeSync(file, Buffer.alloc(DAMAGED_BYTES, 0xa5), 0, DAMAGED_BYTES, position);
    }
  }
  closeSync(file);
}
