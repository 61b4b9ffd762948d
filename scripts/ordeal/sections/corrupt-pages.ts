/** Damages pages of an index: searches may fail, but the server stays up and charges nobody for it. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { connect, searchRequest } from '../../bench/connection.ts';
import { runVerbatim } from '../../bench/processes.ts';
import { createRandom } from '../../bench/random.ts';
import { sampleTitles } from '../../bench/sample-titles.ts';
import { startServer } from '../../bench/server.ts';
import { createCustomer, readBooks, UNLIMITED } from '../accounts.ts';
import { indexPages } from '../pages.ts';
import type { Ordeal, SectionReport } from '../section.ts';

const PAGES = 12;
const DAMAGED_BYTES = 64;
const EXPECTED = new Set([200, 500, 503]);

export async function corruptPages(ordeal: Ordeal): Promise<SectionReport> {
  ordeal.say('  corrupted pages …');
  const database = await ordeal.copyIndex('pages');
  const secret = createCustomer(database, 'pages', UNLIMITED);
  damage(database, ordeal.options.seed);
  const server = await startServer(database, {
    through: ordeal.cores.server,
    env: { VERBATIM_WARM_UP_SEARCHES: '0' },
  });
  const connection = await connect(server.port);
  const statuses = new Map<number, number>();
  for (const query of sampleTitles()) {
    const request = searchRequest(query, { port: server.port, secret });
    const { status } = await connection.send(request);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  connection.close();
  await server.stop();
  const verified = await runVerbatim(['index', 'verify', '--db', database]).then(
    () => 'nothing',
    () => 'the damage',
  );
  const { charged, wrong } = readBooks(database);
  const served = statuses.get(200) ?? 0;
  const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  return {
    rows: [
      {
        measure: `${PAGES} corrupted pages of the index`,
        value: `searches ${counts}; index verify finds ${verified}`,
      },
    ],
    wrong: [
      ...wrong,
      ...[...statuses.keys()]
        .filter((status) => !EXPECTED.has(status))
        .map((status) => `corrupted pages: a search got ${status}`),
      ...(charged.length === served
        ? []
        : [`corrupted pages: ${served} searches served, ${charged.length} charged`]),
      ...(verified === 'the damage' ? [] : ['corrupted pages: index verify found nothing']),
    ],
  };
}

/** Overwrites the middle of some pages of the index. Pages of the accounts stay as they are. */
function damage(database: string, seed: number): void {
  const random = createRandom(`pages ${seed}`);
  const { pageBytes, pages } = indexPages(database);
  const file = openSync(database, 'r+');
  for (let i = 0; i < PAGES; i++) {
    const page = pages[random.below(pages.length)] ?? 0;
    const position = (page - 1) * pageBytes + pageBytes / 2;
    if (position < statSync(database).size) {
      writeSync(file, Buffer.alloc(DAMAGED_BYTES, 0xa5), 0, DAMAGED_BYTES, position);
    }
  }
  closeSync(file);
}
