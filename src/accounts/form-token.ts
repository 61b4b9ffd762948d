/**
 * Keeps other sites from sending our forms. Each form carries a token that is derived from the one
 * in the cookie, which other sites cannot read; and browsers say where a request comes from. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { VerbatimError } from '../errors.ts';

/** The hidden field of every form that was loaded with this token in the cookie. */
export function formTokenOf(cookieToken: string): string {
  return createHmac('sha256', cookieToken).update('form').digest('base64url');
}

export interface SentForm {
  /** Of the session or the visitor; undefined where no cookie came. */
  cookieToken: string | undefined;
  /** The hidden field, '' where it is absent. */
  formToken: string;
  /** Headers, '' where they are absent. */
  origin: string;
  fetchSite: string;
  host: string;
  /** The address that browsers use; '': the one that the request was sent to. */
  publicUrl: string;
}

/** Throws `foreign_form` for a form that was not loaded from here by the same browser. */
export function assertOwnForm(form: SentForm): void {
  if (isFromHere(form) && hasOwnToken(form)) return;
  throw new VerbatimError('foreign_form');
}

/** Browsers of today tell the site. Older ones tell the origin; and for the rest there is the token. */
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
  const given = Buffer.from(formToken);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
