/**
 * Closes connections that have sent no request before the process runs out of file descriptors.
 * Without this, new clients wait until the library closes idle connections.
 */

import type { HttpResponse, TemplatedApp } from 'uWebSockets.js';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Log } from '../log.ts';

/** Descriptors that connections leave to files, threads, and the operator's listeners. */
const RESERVED = 64;

/** Returns what watches the connections of an app. Call it before routes are registered. */
export function makeRoom(log: Pick<Log, 'warn'>): (app: TemplatedApp) => void {
  const filesMax = openFilesMax();
  /**
   * Connections without a request by their remote address, the oldest first. A request takes the
   * callback that tells when its connection ends. Nobody knows which connection it came on, but its
   * address, so all from there are forgotten: a connection must not be touched after its end.
   */
  const idle = new Map<string, Set<HttpResponse>>();
  let wasFull = false;
  return (app) => {
    const register = app.any.bind(app);
    app.any = (pattern, handler) =>
      register(pattern, (response, request) => {
        const address = addressOf(response);
        // The system forgets the address of a connection that was reset, but not what it sent.
        if (address === '') idle.clear();
        else idle.delete(address);
        return handler(response, request);
      });
    const watch = (connection: HttpResponse, change: unknown): void => {
      if (change !== 1) return;
      const address = addressOf(connection);
      const own = idle.get(address) ?? new Set();
      idle.set(address, own.add(connection));
      connection.onAborted(() => {
        own.delete(connection);
        if (own.size === 0 && idle.get(address) === own) idle.delete(address);
      });
      if (nextDescriptor() < filesMax - RESERVED) return;
      const advice = 'raise the limit of open files: ulimit -n, or LimitNOFILE of the unit';
      if (!wasFull) log.warn('idle_connections_closed', { open_files_max: filesMax, advice });
      wasFull = true;
      // One that is alone was just opened: it is refused.
      const most = [...idle.values()].reduce((a, b) => (b.size > a.size ? b : a));
      for (const one of [...most].slice(0, Math.ceil(most.size / 2))) one.close();
    };
    app.filter(watch);
  };
}

/** The soft limit, as Linux tells it; Infinity if there is none, or it is not known. */
export function openFilesMax(): number {
  try {
    const [, limit] =
      /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined || limit === 'unlimited' ? Infinity : Number(limit);
  } catch {
    return Infinity;
  }
}

function addressOf(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddress()).toString('hex');
}

/** The lowest free one, so at least as many are open. Infinity if none is free. */
function nextDescriptor(): number {
  try {
    const descriptor = openSync('/dev/null', 'r');
    closeSync(descriptor);
    return descriptor;
  } catch {
    return Infinity;
  }
}
