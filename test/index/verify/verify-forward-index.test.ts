/** Every kind of damage to vectors, terms and term counts, and the problem that verify reports. */
import { describe } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { decodeForwardEntry, encodeForwardEntry } from '../../../src/index/forward-index.ts';
import { termOf } from '../../../src/text/terms.ts';
import { type Damage, findsEach, flip, numberOf } from './damage.ts';

/** Bytes of a vector of 4 bits, with its factor. */
const UNIT_BYTES = 4 + 32;
/** Bytes before the units: the header of the entry, and the own vector with its factor. */
const UNITS_AT = 4 + 4 + 64;
/** The factor of the own vector. */
const OWN_AT = 4;

const FORWARD_INDEX: Damage[] = [
  [
    'a missing entry',
    `DELETE FROM signals WHERE document = ${numberOf('a')}`,
    'a: 4 vectors expected, 0 stored',
  ],
  [
    'a missing vector',
    changeVectors('b', (vectors) => vectors.subarray(0, vectors.length - UNIT_BYTES)),
    'b: 3 vectors expected, 2 stored',
  ],
  [
    'one vector too many',
    changeVectors('c', (vectors) => Buffer.concat([vectors, Buffer.alloc(UNIT_BYTES)])),
    'c: 2 vectors expected, 3 stored',
  ],
  ['half a vector', changeVectors('c', (vectors) => vectors.subarray(0, 86)), 'c: 2 vectors'],
  ['no vectors at all', changeVectors('c', () => Buffer.alloc(0)), 'c: 2 vectors expected, '],
  ['an empty entry', setEntry('c', "x''"), 'c: 2 vectors expected, 0 stored'],
  ['a truncated entry', setEntry('c', "x'ffffff'"), 'c: 2 vectors expected, 0 stored'],
  ['a header with a wrong length', changeByte('c', 1, 1), 'c: 2 vectors expected, '],
  [
    'an own vector of another length',
    changeVectors('c', (vectors) => {
      vectors.writeFloatLE(1.03 * vectors.readFloatLE(0), 0);
      return vectors;
    }),
    'c: vector 0 has the length 1.03',
  ],
  [
    'a zero vector',
    changeVectors('b', (vectors) => vectors.fill(0, UNITS_AT - 4)),
    'b: vector 2 has the length 0.000, not 1',
  ],
  [
    'a wrong component of a sentence',
    changeByte('b', UNITS_AT + 2 * UNIT_BYTES - 32, 0x77),
    'b: vector 2 has the length ',
  ],
  [
    'an own vector that does not match its inverted list',
    changeByte('b', OWN_AT + 4, 0x40),
    /^b: its entry in list 1 is not that of its vector/,
  ],
  [
    'a wrong term',
    changeTerms('a', (terms) => flip(terms, 9)),
    'a: its terms are not those of its text',
  ],
  [
    'a wrong sentence mask',
    changeTerms('a', (terms) => flip(terms, terms.length - 1)),
    'a: its terms are not those of its text',
  ],
  [
    'a wrong count of terms',
    changeTerms('a', (terms) => flip(terms, 0)),
    'a: its terms are not those of its text',
  ],
  [
    'missing terms',
    changeTerms('a', () => Buffer.alloc(0)),
    'a: its terms are not those of its text',
  ],
  [
    'an entry without a document',
    'INSERT INTO signals (document, packed) VALUES (99, zeroblob(8))',
    'SQLite: a foreign key has no row: {"table":"signals"',
  ],
];

const TIDES = termOf('tides');

const COUNTS: Damage[] = [
  [
    'a wrong count of a term',
    `UPDATE term_counts SET documents = 2 WHERE term = ${TIDES}`,
    `term ${TIDES} occurs in 1 documents, but term_counts says 2`,
  ],
  ['a missing count', `DELETE FROM term_counts WHERE term = ${TIDES}`, 'terms without a count: 1'],
  [
    'a count of a term that no document contains',
    'INSERT INTO term_counts (term, documents) VALUES (7, 1)',
    'term 7 occurs in 0 documents, but term_counts says 1',
  ],
  [
    'a count of 0',
    'INSERT INTO term_counts (term, documents) VALUES (7, 0)',
    'term 7 occurs in 0 documents, but term_counts says 0',
  ],
];

describe('verifyIndex, for the forward index and term counts,', () => {
  findsEach([...FORWARD_INDEX, ...COUNTS]);
});

function setEntry(id: string, expression: string): string {
  return `UPDATE signals SET packed = ${expression} WHERE document = ${numberOf(id)}`;
}

function changeEntry(id: string, change: (entry: Buffer) => Buffer): (db: Connection) => void {
  return (db) => {
    const read = db.prepare(`SELECT packed FROM signals WHERE document = ${numberOf(id)}`).pluck();
    db.prepare(setEntry(id, '?')).run(change(read.get() as Buffer));
  };
}

function changeVectors(id: string, change: (vectors: Buffer) => Buffer): (db: Connection) => void {
  return changeEntry(id, (entry) => {
    const { vectors, terms } = decodeForwardEntry(entry);
    return encodeForwardEntry({ vectors: change(vectors), terms });
  });
}

function changeTerms(id: string, change: (terms: Buffer) => Buffer): (db: Connection) => void {
  return changeEntry(id, (entry) => {
    const { vectors, terms } = decodeForwardEntry(entry);
    return encodeForwardEntry({ vectors, terms: change(terms) });
  });
}

/** Flips bits of one byte of an entry. */
function changeByte(id: string, at: number, bits: number): (db: Connection) => void {
  return changeEntry(id, (entry) => flip(entry, at, bits));
}
