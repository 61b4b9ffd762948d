/** Base32 without padding (RFC 4648, section 6), in which authenticator apps take a setup key. Pure. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** Encodes bytes. The last character is filled with zero bits. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= BITS; bits -= BITS) text += ALPHABET.charAt((value >> (bits - BITS)) & 31);
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (BITS - bits)) & 31);
}
