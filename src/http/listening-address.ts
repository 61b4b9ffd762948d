/** Explains why an address cannot be listened on. The web framework reports no reason. */
import { createServer } from 'node:net';
import { VerbatimError } from '../errors.ts';

export interface ListeningAddress {
  host: string;
  port: number;
}

/** What the operator chooses the address with: options or variables. */
export interface SettingNames {
  host: string;
  port: string;
}

type Reason = (address: ListeningAddress, set: SettingNames) => string;

const unknownHost: Reason = ({ host }, set) =>
  `the host "${host}" is unknown; choose one with ${set.host}`;

const reasons: Readonly<Record<string, Reason>> = {
  EADDRINUSE: ({ port }, set) =>
    `port ${port} is in use by another program; choose one with ${set.port}`,
  EACCES: ({ port }, set) =>
    `port ${port} needs more privileges; choose one above 1023 with ${set.port}`,
  EADDRNOTAVAIL: ({ host }, set) =>
    `${host} is not an address of this machine; choose one with ${set.host}`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
};

/**
 * Binds and releases the address with Node's own server, which refuses a port that another process
 * shares. Connections that come in between are reset. Throws `usage` with the reason.
 */
export function assertCanListen(address: ListeningAddress, set: SettingNames): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = reasons[error.code ?? '']?.(address, set) ?? error.message;
      reject(
        new VerbatimError('usage', `cannot listen on ${address.host}:${address.port}: ${why}`),
      );
    });
    server.listen(address, () => server.close(() => resolve()));
  });
}
