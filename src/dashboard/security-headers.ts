/** What browsers are told to refuse. Nothing is loaded but from here, nothing is in line. Pure. */

export interface HeaderOptions {
  /** Whether customers come over TLS. */
  isSecure: boolean;
  /** Hosts that forms may lead to besides ours: a payment's. */
  formTargets?: readonly string[];
}

const YEAR_SECONDS = 31_536_000;

export function securityHeaders(options: HeaderOptions): Record<string, string> {
  const { isSecure, formTargets = [] } = options;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    // A one-time link is in an address: no other site learns of it.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(isSecure ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}
