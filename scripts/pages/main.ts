/**
 * Times each page of customers and operators on a real server that has much to show. The server is
 * started anew for each page, which is the first thing that it is asked. Then one server is asked for
 * all pages several times. Or takes a picture of each.
 */
import { join } from 'node:path';
import { STRIPE_ENV } from '../../test/support/billing-history.ts';
import { indexSample } from '../measure/databases.ts';
import { count, text, type ValuesOf } from '../measure/options.ts';
import type { Outcome } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { startServer } from '../measure/server.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { fillDatabase } from './fill-database.ts';
import { takePictures } from './pictures.ts';
import { timePages } from './time-pages.ts';

const env = {
  ...STRIPE_ENV,
  VERBATIM_KEEP_QUESTIONS: 'true',
  VERBATIM_OPERATOR_CONTACT: 'help@example.org',
};

const options = {
  searches: count(50_000, 'searches of the customer', 500),
  requests: count(500_000, 'requests of the customer that are kept', 500),
  keys: count(30, 'keys of the customer', 3),
  payments: count(500, 'payments of the customer', 12),
  customers: count(1_000, 'customers of the server', 10),
  reads: count(20, 'how often each page is read', 2),
  bound: count(150, 'the longest time in ms that a page may take'),
  pictures: text('take pictures at four widths, light and dark, instead; needs Chromium', 'folder'),
};

export const measurement = defineMeasurement({
  options,
  notes: 'Exits 1 if a page took longer than the bound. Pictures renew those of the README, too.',
  run: (values) => inTemporaryFolder('pages', (folder) => showPages(values, folder)),
});

async function showPages(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const database = join(folder, 'verbatim.db');
  await indexSample(database);
  const filled = fillDatabase(database, values);
  if (values.pictures !== undefined) {
    const server = await startServer(database, { env });
    // By name: the browser treats localhost as a secure place.
    await takePictures(`http://localhost:${server.port}`, filled, values.pictures);
    await server.stop();
    return { report: {}, shown: [values.pictures] };
  }
  const pages = await timePages(database, filled, { reads: values.reads, env });
  const boundMs = values.bound;
  const slow = pages.filter(({ firstMs, maxMs }) => Math.max(firstMs, maxMs) > boundMs);
  return {
    report: { boundMs, pages, slow: slow.length },
    shown: [
      {
        head: ['page', 'first ms', 'median ms', 'max ms', 'kB'],
        rows: pages.map(({ path, firstMs, medianMs, maxMs, bytes }) => [
          ...[path, Math.round(firstMs), Math.round(medianMs), Math.round(maxMs)],
          Math.round(bytes / 1024),
        ]),
      },
      ...slow.map(({ path }) => `over ${boundMs} ms: ${path}`),
    ],
    isMissed: slow.length > 0,
  };
}
