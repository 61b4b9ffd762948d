/** Every kind of damage to inverted lists, and the problem that verify reports. */
import { describe } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { listEntryBytes } from '../../../src/index/dense/list-entries.ts';
import { TOY_DIMENSIONS } from '../memory-index.ts';
import { type Damage, findsEach, flip, numberOf } from './damage.ts';

const LISTS: Damage[] = [
  ['a missing entry', changeEntries((entries) => entries.slice(1)), 'a is in no inverted list'],
  [
    'a duplicate entry',
    changeEntries(([first, ...entries]) => [first, first, ...entries] as Buffer[]),
    'a: list 1 is not the only one that names it',
  ],
  [
    'an entry without a document',
    changeEntries(([first, ...entries]) => [withDocument(first, 99), ...entries]),
    'list 1 names document 99, which does not exist',
  ],
  [
    'entries of other documents',
    changeEntries(([a, b, c]) => [withDocument(a, 2), withDocument(b, 1), c as Buffer]),
    'a: its entry in list 1 is not that of its vector',
  ],
  [
    'a wrong factor in an entry',
    changeEntries(([first, ...entries]) => [flip(first as Buffer, 6), ...entries]),
    'a: its entry in list 1 is not that of its vector',
  ],
  [
    'a wrong component in an entry',
    changeEntries(([a, b, c]) => [a, flip(b as Buffer, 20), c] as Buffer[]),
    'b: its entry in list 1 is not that of its vector',
  ],
  [
    'half an entry',
    'UPDATE list_entries SET entries = substr(entries, 1, 30)',
    'list 1: its last entry is incomplete',
  ],
  ['an empty list', "UPDATE list_entries SET entries = x''", 'list 1 is empty'],
  ['a list without entries', 'DELETE FROM list_entries', 'list 1 is empty'],
  [
    'a new, empty list',
    'INSERT INTO inverted_lists (list, centroid) SELECT 9, centroid FROM inverted_lists',
    'list 9 is empty',
  ],
  [
    'entries without a list',
    "INSERT INTO list_entries (list, entries) VALUES (9, x'')",
    'SQLite: a foreign key has no row: {"table":"list_entries"',
  ],
  ['a missing list', 'DELETE FROM inverted_lists', 'c is in no inverted list'],
  [
    'a wrong centroid',
    `UPDATE inverted_lists SET centroid = CAST(x'0000003f' || substr(centroid, 5) AS BLOB)`,
    'b: its entry in list 1 is not that of its vector',
  ],
  [
    'a truncated centroid',
    'UPDATE inverted_lists SET centroid = substr(centroid, 1, 100)',
    'list 1: its centroid has 100 bytes',
  ],
  [
    'a list that is too long',
    changeEntries((entries) => Array.from({ length: 257 }, (_, i) => entries[i % 3] as Buffer)),
    'list 1 has 257 documents, more than 256',
  ],
  [
    'a document that names another list',
    `UPDATE document_lists SET list = 9 WHERE document = ${numberOf('b')}`,
    'b is in list 1, but document_lists names 9',
  ],
  [
    'a document that names no list',
    `DELETE FROM document_lists WHERE document = ${numberOf('b')}`,
    'b is in list 1, but document_lists names none',
  ],
  [
    'a list of a missing document',
    'INSERT INTO document_lists (document, list) VALUES (99, 1)',
    'SQLite: a foreign key has no row: {"table":"document_lists"',
  ],
  [
    'a list without a group',
    'UPDATE inverted_lists SET centroid_group = NULL',
    'list 1 is in no group',
  ],
  [
    'a list of a missing group',
    'UPDATE inverted_lists SET centroid_group = 9',
    'list 1 is in no group',
  ],
  [
    'an empty group',
    'INSERT INTO centroid_groups (number, centroid) SELECT 9, centroid FROM centroid_groups',
    'group 9 has no list',
  ],
  [
    'a truncated centroid of a group',
    'UPDATE centroid_groups SET centroid = substr(centroid, 1, 100)',
    'group 1: its centroid has 100 bytes',
  ],
  [
    'a group that is too large',
    `WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 129)
     INSERT INTO inverted_lists (list, centroid, centroid_group) SELECT i, centroid, 1 FROM n, inverted_lists`,
    'group 1 has 129 lists, more than 128',
  ],
];

describe('verifyIndex, for inverted lists,', () => {
  findsEach(LISTS);
});

/** Changes the entries of the only list. */
function changeEntries(change: (entries: Buffer[]) => Buffer[]): (db: Connection) => void {
  return (db) => {
    const blob = db.prepare('SELECT entries FROM list_entries').pluck().get() as Buffer;
    const stride = listEntryBytes(TOY_DIMENSIONS);
    const entries = Array.from({ length: blob.length / stride }, (_, i) =>
      Buffer.from(blob.subarray(i * stride, (i + 1) * stride)),
    );
    db.prepare('UPDATE list_entries SET entries = ?').run(Buffer.concat(change(entries)));
  };
}

function withDocument(entry: Buffer | undefined, document: number): Buffer {
  const changed = Buffer.from(entry as Buffer);
  changed.writeUInt32LE(document, 0);
  return changed;
}
