/** Reads pages from real servers, and takes the time from the request to the whole response. */
import { STRIPE_ENV } from '../../test/support/billing-history.ts';
import { connect } from '../bench/connection.ts';
import { type Server, startServer } from '../bench/server.ts';
import { median } from '../bench/statistics.ts';
import type { Filled } from './fill-database.ts';
import type { PagesOptions } from './options.ts';
import { type TimedPage, timedPages } from './paths.ts';

export interface PageTimes {
  path: string;
  /** As the first request after a start of the server. */
  firstMs: number;
  medianMs: number;
  maxMs: number;
  /** The length of the page. */
  bytes: number;
}

const ENV = { ...STRIPE_ENV, VERBATIM_KEEP_QUESTIONS: 'true' };

export async function timePages(
  database: string,
  filled: Filled,
  { reads }: Pick<PagesOptions, 'reads'>,
): Promise<PageTimes[]> {
  const pages = timedPages(filled);
  const first = new Map<TimedPage, number>();
  for (const page of pages) {
    const server = await startServer(database, { env: ENV, isWarmAwaited: false });
    first.set(page, (await readPage(server, page, filled)).milliseconds);
    await server.stop();
  }
  const server = await startServer(database, { env: ENV });
  const times: PageTimes[] = [];
  for (const page of pages) {
    const taken: number[] = [];
    let bytes = 0;
    for (let read = 0; read < reads; read++) {
      const got = await readPage(server, page, filled);
      taken.push(got.milliseconds);
      bytes = got.bytes;
    }
    const [medianMs, maxMs] = [median(taken), Math.max(...taken)];
    times.push({ path: page.path, firstMs: first.get(page) ?? 0, medianMs, maxMs, bytes });
  }
  await server.stop();
  return times;
}

/** Throws if the page is not what was asked for, because an error page is fast. */
async function readPage(
  { port }: Server,
  { path, isOfVisitor }: TimedPage,
  { cookie }: Filled,
): Promise<{ milliseconds: number; bytes: number }> {
  const connection = await connect(port);
  const head = [
    ...[`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: text/html'],
    ...(isOfVisitor ? [] : [`Cookie: ${cookie}`]),
  ];
  const started = performance.now();
  const reply = await connection.send(Buffer.from(`${head.join('\r\n')}\r\n\r\n`));
  const milliseconds = performance.now() - started;
  connection.close();
  if (reply.status !== 200) throw new Error(`${path} has status ${reply.status}: ${reply.head}`);
  return { milliseconds, bytes: reply.body.length };
}
