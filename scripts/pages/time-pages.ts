/** Reads pages from real servers, and takes the time from the request to the whole response. */
import { createClient, type Reply } from '../measure/clients.ts';
import { type Server, startServer } from '../measure/server.ts';
import { median } from '../measure/statistics.ts';
import type { Filled } from './fill-database.ts';
import { type ShownPage, shownPages } from './paths.ts';

/** Each page is the first thing that a server is asked (`firstMs`). Then one is asked for all, `reads` times. */
export async function timePages(
  database: string,
  filled: Filled,
  { reads, env }: { reads: number; env: Record<string, string> },
) {
  const pages = shownPages(filled);
  const first: number[] = [];
  for (const page of pages) {
    const server = await startServer(database, { env, isWarmAwaited: false });
    first.push((await readPage(server, page, filled)).milliseconds);
    await server.stop();
  }
  const server = await startServer(database, { env });
  const times = [];
  for (const [at, page] of pages.entries()) {
    const replies: Reply[] = [];
    while (replies.length < reads) replies.push(await readPage(server, page, filled));
    const taken = replies.map(({ milliseconds }) => milliseconds);
    const [medianMs, maxMs] = [median(taken), Math.max(...taken)];
    const bytes = replies[0]?.body.length ?? 0;
    times.push({ path: page.path, firstMs: first[at] ?? 0, medianMs, maxMs, bytes });
  }
  await server.stop();
  return times;
}

/** Throws if the page is not what was asked for, because an error page is fast. */
async function readPage(
  { port }: Server,
  { path, isOfVisitor }: ShownPage,
  { cookies }: Filled,
): Promise<Reply> {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const head = [
    ...[`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: text/html'],
    ...(isOfVisitor ? [] : [`Cookie: ${cookie.join('; ')}`]),
  ];
  const client = createClient(port);
  const reply = await client.send(Buffer.from(`${head.join('\r\n')}\r\n\r\n`));
  client.close();
  if (reply.status !== 200) throw new Error(`${path} has status ${reply.status}: ${reply.head}`);
  return reply;
}
