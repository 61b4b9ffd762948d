/** More idle connections than the process may have open files. */
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';
import { openConnection, send } from './contract.ts';

const FILES_MAX = 256;
const CONNECTIONS = 400;

let service: Service;
const sockets: Socket[] = [];

beforeAll(async () => {
  const limited = ['bash', '-c', `ulimit -n ${FILES_MAX}; exec "$@"`, 'bash'];
  service = await startService(await copySampleIndex(), {}, limited);
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.end();
  await removeDatabase(service.database);
});

it('answers beside idle connections, and says once why it closes some', async () => {
  const busy = await openConnection(service.url);
  const askAgain = async (answers: number): Promise<void> => {
    busy.socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => busy.text().split('HTTP/1.1 200 ').length - 1).toBe(answers);
  };
  sockets.push(busy.socket);
  await askAgain(1);
  const closed: Promise<void>[] = [];
  for (let n = 0; n < CONNECTIONS; n++) {
    const connection = await openConnection(service.url);
    sockets.push(connection.socket);
    closed.push(connection.closed);
  }
  // The first of them makes room; without that, the library closes all that it accepted.
  await closed[0];
  const answers = Array.from({ length: 20 }, () => send(service.url, { path: '/health' }));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  // It has sent a request, so it is not one of those that are closed.
  await askAgain(2);
  expect(readdirSync(`/proc/${service.process.pid}/fd`).length).toBeLessThan(FILES_MAX - 40);
  expect(service.log.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([
    expect.objectContaining({ event: 'idle_connections_closed', open_files_max: FILES_MAX }),
  ]);
});
