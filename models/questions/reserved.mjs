/** Which papers are reserved for measuring: nobody writes questions about them or trains on them. */
import { createHash } from 'node:crypto';

/** SHA-256 of `CORPUS:ID` in hexadecimal. CORPUS is `papers`, `arxiv`, or `scifact`. */
export function hashOf(key) {
  return createHash('sha256').update(key).digest('hex');
}

export function isReserved(key) {
  return hashOf(key).startsWith('0');
}

/** A title in lower case, its letters and digits only. Two papers with the same one count as the same. */
export function normalizedTitle(title) {
  return title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
