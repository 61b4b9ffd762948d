/** Small damaged indexes for the tests of verify. */
import { expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { addDocuments, memoryIndex } from '../memory-index.ts';

export const DOCUMENTS = [
  { id: 'a', title: 'Tides', abstract: 'It rose. It fell.' },
  { id: 'b', title: 'Moon', abstract: 'It shone.', authors: ['A. Berg'] },
  { id: 'c', title: 'Shore', abstract: '' },
];

/** The damage, done by SQL or by a function, and the problem that verify reports. */
export type Damage = [
  what: string,
  how: string | ((db: Connection) => void),
  problem: string | RegExp,
];

/** Defines a test for each kind of damage. */
export function findsEach(damages: readonly Damage[]): void {
  it.each([...damages])('finds %s', (_, how, problem) => {
    const { problems } = verifyIndex(damagedIndex(how), { problemsMax: 1000 });
    const matching =
      typeof problem === 'string'
        ? expect.stringContaining(problem)
        : expect.stringMatching(problem);
    expect(problems).toContainEqual(matching);
  });
}

export function damagedIndex(how: Damage[1]): Connection {
  const db = memoryIndex();
  addDocuments(db, DOCUMENTS);
  db.pragma('foreign_keys = OFF');
  if (typeof how === 'string') db.exec(how);
  else how(db);
  return db;
}

export function numberOf(id: string): string {
  return `(SELECT number FROM documents WHERE id = '${id}')`;
}

/** Flips bits of one byte. */
export function flip(blob: Buffer, at: number, bits = 1): Buffer {
  blob.writeUInt8(blob.readUInt8(at) ^ bits, at);
  return blob;
}
