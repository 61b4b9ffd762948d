/** Ends a connection at once. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type pg from 'pg';

/**
 * Ends a connection, and throws away what was not sent yet: sent later, it would overtake what the
 * next connection brings. Only TCP can do that, and only without TLS; others just end.
 */
export function resetConnection(client: pg.ClientBase): void {
  const { stream } = (client as pg.ClientBase & { connection: { stream: Socket } }).connection;
  const isTcp = !(stream instanceof TLSSocket) && stream.remoteAddress !== undefined;
  if (isTcp) stream.resetAndDestroy();
  else stream.destroy();
}
