/**
 * Codes of authenticator apps: RFC 6238 with SHA-1, 30 seconds, and 6 digits, which is what every app
 * has. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeBase32 } from './base32.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
/** The steps before and after the current one whose codes count, because clocks differ. */
const SKEW_STEPS = 1;
/** The bytes of a secret. RFC 4226 recommends the length of the hash. */
export const SECRET_BYTES = 20;

/** Returns the number of the time step that contains a time. */
export function stepAt(now: number): number {
  return Math.floor(now / STEP_MS);
}

/** Returns the code of a time step. */
export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) as number) & 15;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Whether a text has the form of a code. */
function isCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

export interface CodeCheck {
  secret: Uint8Array;
  code: string;
  /** The last step whose code was used. Its code and earlier ones no longer count. */
  usedStep: number;
  now: number;
}

/** Returns the step of a valid code that was not used; undefined for any other code. */
export function stepOfCode({ secret, code, usedStep, now }: CodeCheck): number | undefined {
  if (!isCode(code)) return undefined;
  const received = Buffer.from(code);
  let found: number | undefined;
  // All steps are compared, so that the time does not tell which one it was.
  for (let skew = -SKEW_STEPS; skew <= SKEW_STEPS; skew++) {
    const step = stepAt(now) + skew;
    const isEqual = timingSafeEqual(received, Buffer.from(codeAt(secret, step)));
    if (isEqual && step > usedStep) found ??= step;
  }
  return found;
}

export interface Enrollment {
  secret: Uint8Array;
  /** Whose codes these are, such as the service's host. */
  issuer: string;
  email: string;
}

/** Returns the address that an authenticator app reads from a QR code. */
export function setUpUri({ secret, issuer, email }: Enrollment): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${encodeBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** Returns the secret as people type it: groups of four characters. */
export function setUpKey(secret: Uint8Array): string {
  return encodeBase32(secret).replace(/(.{4})(?=.)/g, '$1 ');
}
