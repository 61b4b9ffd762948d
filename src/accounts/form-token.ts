/**
 * Protects forms against cross-site requests. Each form carries a token derived from the cookie's
 * token, which other sites cannot read. Browsers also report where a request comes from. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { VerbatimError } from '../errors.ts';

/** Returns the hidden field's value for forms loaded with this cookie token. */
export function formTokenOf(cookieToken: string): string {
  return createHmac('sha256', cookieToken).update('form').digest('base64url');
}

export interface SentForm {
  /** The token of the session or the visitor; undefined without a cookie. */
  cookieToken: string | undefined;
  /** The hidden field; '' if absent. */
  formToken: string;
  /** Headers; '' if absent. */
  origin: string;
  fetchSite: string;
  host: string;
  /** The address that browsers use; '' means the one the request was sent to. */
  publicUrl: string;
}

/** Throws `foreign_form` for a form that this site did not load in the same browser. */
export function assertOwnForm(form: SentForm): void {
  if (isFromHere(form) && hasOwnToken(form)) return;
  throw new VerbatimError('foreign_form');
}

/**
 * Current browsers send `Sec-Fetch-Site`, older ones send `Origin`. For the rest the token must do.
 */
function isFromHere({ origin, fetchSite, host, publicUrl }: SentForm): boolean {
  if (fetchSite !== '') return fetchSite === 'same-origin' || fetchSite === 'none';
  if (origin === '') return true;
  const sender = parseUrl(origin);
  if (publicUrl !== '')
    return sender !== undefined && sender.origin === parseUrl(publicUrl)?.origin;
  return sender !== undefined && sender.host === parseUrl(`${sender.protocol}//${host}`)?.host;
}

function hasOwnToken({ cookieToken, formToken }: SentForm): boolean {
  if (cookieToken === undefined) return false;
  const expected = Buffer.from(formTokenOf(cookieToken));
  const received = Buffer.from(formToken);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
