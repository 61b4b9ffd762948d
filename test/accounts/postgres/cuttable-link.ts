/** A link between a node and PostgreSQL that loses everything while it is cut, and may deliver it later. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

const SOCKET = '.s.PGSQL.5432';

export interface CuttableLink {
  /** The address of the database through the link. */
  url: string;
  /** From now on nothing arrives, on old and on new connections, and nobody is told. */
  cut(): void;
  /** New connections work again. Those of before stay dead. */
  mend(): void;
  /** Delivers to the database what was sent on the dead connections, and ends them. */
  deliverLate(): void;
  close(): Promise<void>;
}

interface Line {
  toServer: Socket;
  isDead: boolean;
  /** What was sent while it was dead. */
  kept: Buffer[];
}

/** `url` is the address of a database on a Unix socket, or on a port of this machine. */
export async function openLink(url: string): Promise<CuttableLink> {
  const folder = new URLSearchParams(url.split('?')[1]).get('host');
  const place =
    folder === null ? { port: Number(new URL(url).port) } : { path: join(folder, SOCKET) };
  const lines: Line[] = [];
  let isCut = false;
  const server = createServer((fromNode) => {
    const line: Line = {
      toServer: connect({ ...place, host: '127.0.0.1' }),
      isDead: isCut,
      kept: [],
    };
    lines.push(line);
    const { toServer } = line;
    fromNode.on('data', (bytes) => {
      if (line.isDead) line.kept.push(bytes);
      else toServer.write(bytes);
    });
    toServer.on('data', (bytes) => {
      if (!line.isDead) fromNode.write(bytes);
    });
    fromNode.on('error', () => {}).on('close', () => line.isDead || toServer.destroy());
    toServer.on('error', () => {}).on('close', () => line.isDead || fromNode.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://verbatim@127.0.0.1:${port}/postgres`,
    cut() {
      isCut = true;
      for (const line of lines) line.isDead = true;
    },
    mend() {
      isCut = false;
    },
    deliverLate() {
      for (const { toServer, kept } of lines.filter(({ isDead }) => isDead)) {
        for (const bytes of kept.splice(0)) toServer.write(bytes);
        toServer.end();
      }
    },
    async close() {
      server.close();
      for (const { toServer } of lines) toServer.destroy();
    },
  };
}
