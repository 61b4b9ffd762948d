/** Explains why an address cannot be listened on. The web framework reports no reason. */
import { createServer } from 'node:net';
import { VerbatimError } from '../errors.ts';

export interface ListeningAddress {
  host: string;
  port: number;
}

const reasons: Readonly<Record<string, (address: ListeningAddress) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use by another program; choose one with --port`,
  EACCES: ({ port }) => `port ${port} needs more privileges; choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine; choose one with --host`,
  ENOTFOUND: ({ host }) => `the host "${host}" is unknown; choose one with --host`,
  EAI_AGAIN: ({ host }) => `the host "${host}" is unknown; choose one with --host`,
};

/**
 * Binds and releases the address with Node's own server, which refuses a port that another process
 * shares. Throws `usage` with the reason.
 */
export function assertCanListen(address: ListeningAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = reasons[error.code ?? '']?.(address) ?? error.message;
      reject(
        new VerbatimError('usage', `cannot listen on ${address.host}:${address.port}: ${why}`),
      );
    });
    server.listen(address, () => server.close(() => resolve()));
  });
}
