/** Recognizes requests that a web page of another site sent. Pure. */
import { isIP } from 'node:net';
import { VerbatimError } from '../errors.ts';
import type { HttpRequest } from './messages.ts';

/**
 * Throws `foreign_origin` if the request names an origin that is not this server. Programs name
 * none. `publicUrl` is the address that browsers use. '' means the one the request was sent to, if it
 * is no name but an address or localhost: anybody can lead a name of theirs here (DNS rebinding).
 */
export function assertOwnOrigin({ header }: Pick<HttpRequest, 'header'>, publicUrl: string): void {
  const origin = header('origin');
  if (origin === '') return;
  const sender = parseUrl(origin);
  const isOwn =
    publicUrl === ''
      ? sender !== undefined && isAddress(sender) && isHost(sender, header('host'))
      : sender !== undefined && sender.origin === parseUrl(publicUrl)?.origin;
  if (!isOwn) throw new VerbatimError('foreign_origin');
}

function isAddress({ hostname }: URL): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function isHost({ protocol, host }: URL, hostHeader: string): boolean {
  return host === parseUrl(`${protocol}//${hostHeader}`)?.host;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
