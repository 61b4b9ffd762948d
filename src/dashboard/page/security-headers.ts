/** Security headers of pages. Everything loads from this site, and nothing is inline. Pure. */
import type { HttpResponse } from '../../http/messages.ts';

export interface HeaderOptions {
  /** Whether customers connect over TLS. */
  isSecure: boolean;
  /** Other hosts that forms may lead to, such as the payment page. */
  formTargets?: readonly string[] | undefined;
  /** Whether scripts of the page may fetch from this site. */
  mayFetch?: boolean;
}

const YEAR_SECONDS = 31_536_000;

function securityHeaders(options: HeaderOptions): Record<string, string> {
  const { isSecure, formTargets = [], mayFetch = false } = options;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    ...(mayFetch ? ["connect-src 'self'"] : []),
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    // An address may contain a one-time link, so other sites must not see it.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(isSecure ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}

/** Adds the headers to a response. */
export function secured(response: HttpResponse, options: HeaderOptions): HttpResponse {
  return { ...response, headers: { ...securityHeaders(options), ...response.headers } };
}
