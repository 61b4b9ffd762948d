/** What a comparison of two indexes makes of their answers. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareIndexes } from '../../../scripts/cluster/compare.ts';

/** A server that gives one answer after the other to whatever is asked. */
async function startAnswering(answers: [status: number, sentence: string][]): Promise<number> {
  const server: Server = createServer((_, response) => {
    const [status, q] = answers.shift() ?? [500, ''];
    response.statusCode = status;
    response.end(JSON.stringify({ results: [{ d: 'paper', q }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('the comparison of two indexes', () => {
  it('names each question with another paper or sentence, and repeats what fails', async () => {
    const copies = await startAnswering([
      [200, 'Tides rise.'],
      [200, 'Mice sleep.'],
    ]);
    const shards = await startAnswering([
      [200, 'Tides rise.'],
      [503, ''],
      [200, 'Mice eat.'],
    ]);
    const { comparison, exchanges, wrong } = await compareIndexes({
      ports: { copies, shards },
      customer: { id: 1, secret: 'none' },
      questions: ['tides', 'mice'],
    });
    expect(wrong).toEqual([
      '"mice": copies answer paper: Mice sleep., and shards paper: Mice eat.',
    ]);
    expect(exchanges.map(({ status }) => status)).toEqual([200, 200, 200, 503, 200]);
    expect(comparison.questions).toBe(2);
  });
});
