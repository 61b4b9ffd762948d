/** Recognizes requests that a web page of another site sent. Pure. */
import { VerbatimError } from '../errors.ts';
import type { HttpRequest } from './messages.ts';

/**
 * Throws `foreign_origin` if the request names an origin that is not this server. Programs name
 * none. `publicUrl` is the address that browsers use; '' means the one the request was sent to.
 */
export function assertOwnOrigin({ header }: Pick<HttpRequest, 'header'>, publicUrl: string): void {
  const origin = header('origin');
  if (origin === '') return;
  const sender = parseUrl(origin);
  const isOwn =
    publicUrl === ''
      ? sender !== undefined &&
        sender.host === parseUrl(`${sender.protocol}//${header('host')}`)?.host
      : sender !== undefined && sender.origin === parseUrl(publicUrl)?.origin;
  if (!isOwn) throw new VerbatimError('foreign_origin');
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
