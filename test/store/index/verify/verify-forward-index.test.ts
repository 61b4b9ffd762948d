/** Every kind of damage to vectors, terms and their counts, and the line that tells of it. */
import { describe } from 'vitest';
import type { Connection } from '../../../../src/store/database/connection.ts';
import { packSignals, readSignals } from '../../../../src/store/index/forward-index.ts';
import { termOf } from '../../../../src/text/terms.ts';
import { type Damage, findsEach, flip, numberOf } from './damage.ts';

/** Bytes of a vector of 4 bits, with its factor. */
const UNIT_BYTES = 4 + 32;
/** Bytes of the signals before those: their header, and the own vector with its factor. */
const UNITS_AT = 4 + 4 + 64;
/** The factor of the own vector. */
const OWN_AT = 4;

const SIGNALS: Damage[] = [
  [
    'lost signals',
    `DELETE FROM signals WHERE document = ${numberOf('a')}`,
    'a: 4 vectors expected, 0 stored',
  ],
  [
    'a lost vector',
    changeVectors('b', (vectors) => vectors.subarray(0, vectors.length - UNIT_BYTES)),
    'b: 3 vectors expected, 2 stored',
  ],
  [
    'a vector too many',
    changeVectors('c', (vectors) => Buffer.concat([vectors, Buffer.alloc(UNIT_BYTES)])),
    'c: 2 vectors expected, 3 stored',
  ],
  ['half a vector', changeVectors('c', (vectors) => vectors.subarray(0, 86)), 'c: 2 vectors'],
  ['no vectors at all', changeVectors('c', () => Buffer.alloc(0)), 'c: 2 vectors expected, '],
  ['signals of nothing', setPacked('c', "x''"), 'c: 2 vectors expected, 0 stored'],
  ['signals that break off', setPacked('c', "x'ffffff'"), 'c: 2 vectors expected, 0 stored'],
  ['vectors said to be longer than they are', changeByte('c', 1, 1), 'c: 2 vectors expected, '],
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
    'a component of a sentence that is another',
    changeByte('b', UNITS_AT + 2 * UNIT_BYTES - 32, 0x77),
    'b: vector 2 has the length ',
  ],
  [
    'an own vector that is not the one in the cell',
    changeByte('b', OWN_AT + 4, 0x40),
    /^b: its record in cell 1 is not that of its vector/,
  ],
  [
    'a term that is another',
    changeTerms('a', (terms) => flip(terms, 9)),
    'a: its terms are not those of its text',
  ],
  [
    'a wrong mask of sentences',
    changeTerms('a', (terms) => flip(terms, terms.length - 1)),
    'a: its terms are not those of its text',
  ],
  [
    'a wrong count of terms',
    changeTerms('a', (terms) => flip(terms, 0)),
    'a: its terms are not those of its text',
  ],
  ['lost terms', changeTerms('a', () => Buffer.alloc(0)), 'a: its terms are not those of its text'],
  [
    'signals of no document',
    'INSERT INTO signals (document, packed) VALUES (99, zeroblob(8))',
    'SQLite: a row refers to one that is not there: {"table":"signals"',
  ],
];

const TIDES = termOf('tides');

const COUNTS: Damage[] = [
  [
    'a wrong count of a term',
    `UPDATE term_counts SET documents = 2 WHERE term = ${TIDES}`,
    `term ${TIDES}: the counts say 2 documents, counted are 1`,
  ],
  ['a lost count', `DELETE FROM term_counts WHERE term = ${TIDES}`, 'terms without a count: 1'],
  [
    'a count of a term that no text has',
    'INSERT INTO term_counts (term, documents) VALUES (7, 1)',
    'term 7: the counts say 1 documents, counted are 0',
  ],
  [
    'a count of none',
    'INSERT INTO term_counts (term, documents) VALUES (7, 0)',
    'term 7: the counts say 0 documents, counted are 0',
  ],
];

describe('verifyIndex, of signals and counts,', () => {
  findsEach([...SIGNALS, ...COUNTS]);
});

function setPacked(id: string, expression: string): string {
  return `UPDATE signals SET packed = ${expression} WHERE document = ${numberOf(id)}`;
}

function changePacked(id: string, change: (packed: Buffer) => Buffer): (db: Connection) => void {
  return (db) => {
    const read = db.prepare(`SELECT packed FROM signals WHERE document = ${numberOf(id)}`).pluck();
    db.prepare(setPacked(id, '?')).run(change(read.get() as Buffer));
  };
}

function changeVectors(id: string, change: (vectors: Buffer) => Buffer): (db: Connection) => void {
  return changePacked(id, (packed) => {
    const { vectors, terms } = readSignals(packed);
    return packSignals({ vectors: change(vectors), terms });
  });
}

function changeTerms(id: string, change: (terms: Buffer) => Buffer): (db: Connection) => void {
  return changePacked(id, (packed) => {
    const { vectors, terms } = readSignals(packed);
    return packSignals({ vectors, terms: change(terms) });
  });
}

/** Changes bits of one byte of the signals. */
function changeByte(id: string, at: number, bits: number): (db: Connection) => void {
  return changePacked(id, (packed) => flip(packed, at, bits));
}
