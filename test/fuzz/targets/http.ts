/** A real server over real sockets: it stays up, never fails with 500, and its ledger adds up. */
import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { createCustomer, readBooks } from '../../../scripts/measure/accounts.ts';
import { createClient, headerOf, searchRequest } from '../../../scripts/measure/clients.ts';
import { healthOf, startServer } from '../../../scripts/measure/server.ts';
import type { FuzzTarget } from '../run-target.ts';
import { type RawRequest, rawRequest } from './http-request.ts';

/** A server that got half a request waits for the rest. Nobody waits with it for long. */
const PATIENCE_MS = 15;
/** The time for answers that must come. */
const ANSWER_MS_MAX = 30_000;
const CONNECTIONS_MAX = 8;

export const http: FuzzTarget = {
  name: 'http',
  async open(folder, index) {
    const database = join(folder, 'http.db');
    await copyFile(index, database);
    const secret = createCustomer(database, 'fuzz');
    const errors: string[] = [];
    const server = await startServer(database, {
      onLine: (line) => {
        if (line.includes('"level":"error"')) errors.push(line);
      },
    });
    const served = new Set<string>();
    const connections = fc.array(rawRequest(secret), { minLength: 1, maxLength: CONNECTIONS_MAX });
    const property = fc.asyncProperty(connections, async (requests) => {
      await Promise.all(
        requests.map(async (request) => {
          const text = await exchange(server.port, request);
          checkResponse(text, request);
          for (const id of paidIds(text)) served.add(id);
        }),
      );
      assert.equal((await healthOf(server.url)).status, 200);
      // Emptied, so that a smaller case is not blamed for it.
      assert.deepEqual(errors.splice(0), [], 'the server logged an error');
    });
    return {
      property,
      async close() {
        // Of few cases, none may be a search that is served.
        served.add(await search(server.port, secret));
        await server.stop();
        const { wrong, charged } = readBooks(database);
        assert.deepEqual(wrong, []);
        const free = [...served].filter((id) => !charged.includes(id));
        assert.deepEqual(free, [], 'searches were served and not charged');
      },
    };
  },
};

/** Searches as any client does. Returns the request id. */
async function search(port: number, secret: string): Promise<string> {
  const client = createClient(port);
  const { status, head } = await client.send(searchRequest('sleep', { port, secret }));
  client.close();
  assert.equal(status, 200, 'the server no longer serves searches');
  return headerOf(head, 'x-request-id') ?? '';
}

/** Sends a request in one or two segments. Returns what came back in time. */
function exchange(port: number, { bytes, cutAt, isSound }: RawRequest): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isComplete(text)) finish();
    });
    socket.once('connect', async () => {
      socket.write(bytes.subarray(0, cutAt));
      if (cutAt < bytes.length) {
        await wait(1);
        socket.write(bytes.subarray(cutAt));
      }
      socket.setTimeout(isSound ? ANSWER_MS_MAX : PATIENCE_MS, finish);
    });
  });
}

/** A response whose whole body is there. Others end with the patience. */
function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  const length = headerOf(text.slice(0, headEnd), 'content-length');
  return headEnd !== -1 && length !== undefined && text.length >= headEnd + 4 + Number(length);
}

function checkResponse(text: string, { isSound }: RawRequest): void {
  if (isSound) assert.ok(isComplete(text), `a sound request got no answer: ${text.slice(0, 100)}`);
  if (text === '') return;
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  assert.ok(status !== undefined, `no HTTP: ${text.slice(0, 100)}`);
  assert.notEqual(status, '500', text.slice(0, 1_000));
}

/** What tells whether an answer has a price. */
interface PaidAnswer {
  n: number;
  dropped?: number;
  items?: { verdict: string }[];
}

interface PaidBody extends PaidAnswer {
  outcomes?: { status: number; request_id: string; answer: PaidAnswer }[];
}

/** What says nothing is free: no verdict, or no result that fits into `max_tokens`. */
function isFree({ n, dropped = 0, items }: PaidAnswer): boolean {
  const isWithout = ({ verdict }: { verdict: string }): boolean =>
    verdict === 'not_indexed' || verdict === 'unreadable';
  return items?.every(isWithout) ?? (n === 0 && dropped > 0);
}

/** The request ids that a response has to be paid for; none for any other response. */
function paidIds(text: string): string[] {
  if (!text.startsWith('HTTP/1.1 200 ') || !isComplete(text)) return [];
  const [head = '', body = ''] = text.split('\r\n\r\n');
  if (!body.startsWith('{"n":')) return [];
  const answer = JSON.parse(body) as PaidBody;
  if (answer.outcomes === undefined) {
    const original = headerOf(head, 'x-original-request-id');
    return isFree(answer) ? [] : [original ?? headerOf(head, 'x-request-id') ?? ''];
  }
  return answer.outcomes.flatMap(({ status, request_id: id, answer: one }) =>
    status === 200 && !isFree(one) ? [id] : [],
  );
}
