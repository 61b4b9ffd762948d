/**
 * Keeps the listener of the operator's pages to this machine. It listens on a loopback address, but a
 * web page can lead a name of its own here (DNS rebinding), and a proxy on this machine can forward
 * strangers. Pure.
 */
import { isIPv4 } from 'node:net';
import { VerbatimError } from '../../errors.ts';
import type { HttpRequest } from '../../http/messages.ts';

/** Headers by which proxies say for whom they ask. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/** Whether an address is one of the loopback interface. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

/**
 * Throws `foreign_origin` unless a browser asked for this machine by its own name, and not through a
 * proxy. The port may be another one, because a tunnel has its own.
 */
export function assertLocal({ header }: Pick<HttpRequest, 'header'>): void {
  if (isOwnHost(header('host')) && FORWARDED.every((name) => header(name) === '')) return;
  throw new VerbatimError(
    'foreign_origin',
    'these pages are for this machine: open them as http://localhost, without a proxy',
  );
}

function isOwnHost(host: string): boolean {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  // Otherwise there is more than a name and a port.
  if (url === undefined || url.host === '' || `${url.href}` !== `http://${url.host}/`) return false;
  return url.hostname === 'localhost' || isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
}
