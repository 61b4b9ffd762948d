/** Random tokens of sessions and links. The database stores only their SHA-256. */
import { createHash, randomBytes } from 'node:crypto';

/** Begins the access tokens of OAuth clients. */
export const ACCESS_PREFIX = 'vat_';
const TOKEN_BYTES = 32;

/** Returns 256 random bits as 43 characters, safe for cookies and addresses. */
export function mintToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the stored hash of a token. A token with 256 random bits needs no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
