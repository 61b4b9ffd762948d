/** Every kind of damage to cells, and the line that tells of it. */
import { describe } from 'vitest';
import type { Connection } from '../../../../src/store/database/connection.ts';
import { memberBytes } from '../../../../src/store/index/dense/list-entries.ts';
import { TOY_DIMENSIONS } from '../memory-index.ts';
import { type Damage, findsEach, flip, numberOf } from './damage.ts';

const CELLS: Damage[] = [
  ['a lost member', changeMembers((records) => records.slice(1)), 'a: it is in no cell'],
  [
    'a member twice',
    changeMembers(([first, ...records]) => [first, first, ...records] as Buffer[]),
    'a: cell 1 is not the only one that names it',
  ],
  [
    'a member of no document',
    changeMembers(([first, ...records]) => [withDocument(first, 99), ...records]),
    'cell 1: it names document 99, which is not there',
  ],
  [
    'a record of another document',
    changeMembers(([a, b, c]) => [withDocument(a, 2), withDocument(b, 1), c as Buffer]),
    'a: its record in cell 1 is not that of its vector',
  ],
  [
    'another factor in a record',
    changeMembers(([first, ...records]) => [flip(first as Buffer, 6), ...records]),
    'a: its record in cell 1 is not that of its vector',
  ],
  [
    'another component in a record',
    changeMembers(([a, b, c]) => [a, flip(b as Buffer, 20), c] as Buffer[]),
    'b: its record in cell 1 is not that of its vector',
  ],
  [
    'half a record',
    'UPDATE cell_members SET members = substr(members, 1, 30)',
    'cell 1: its records break off',
  ],
  ['a cell of nothing', "UPDATE cell_members SET members = x''", 'cell 1: it is empty'],
  ['a cell without members', 'DELETE FROM cell_members', 'cell 1: it is empty'],
  [
    'a new cell of nothing',
    'INSERT INTO cells (cell, centre) SELECT 9, centre FROM cells',
    'cell 9: it is empty',
  ],
  [
    'members of no cell',
    "INSERT INTO cell_members (cell, members) VALUES (9, x'')",
    'SQLite: a row refers to one that is not there: {"table":"cell_members"',
  ],
  ['a lost cell', 'DELETE FROM cells', 'c: it is in no cell'],
  [
    'another centre',
    `UPDATE cells SET centre = CAST(x'0000003f' || substr(centre, 5) AS BLOB)`,
    'b: its record in cell 1 is not that of its vector',
  ],
  [
    'a centre that breaks off',
    'UPDATE cells SET centre = substr(centre, 1, 100)',
    'cell 1: its centre has 100 bytes',
  ],
  [
    'a cell that is too large',
    changeMembers((records) => Array.from({ length: 257 }, (_, i) => records[i % 3] as Buffer)),
    'cell 1: 257 documents, more than 256',
  ],
  [
    'a document whose cell is another one',
    `UPDATE document_cells SET cell = 9 WHERE document = ${numberOf('b')}`,
    'b: it is in cell 1, by document_cells in 9',
  ],
  [
    'a document whose cell is lost',
    `DELETE FROM document_cells WHERE document = ${numberOf('b')}`,
    'b: it is in cell 1, by document_cells in none',
  ],
  [
    'a cell of no document',
    'INSERT INTO document_cells (document, cell) VALUES (99, 1)',
    'SQLite: a row refers to one that is not there: {"table":"document_cells"',
  ],
];

describe('verifyIndex, of cells,', () => {
  findsEach(CELLS);
});

/** Changes the records of the only cell there is. */
function changeMembers(change: (records: Buffer[]) => Buffer[]): (db: Connection) => void {
  return (db) => {
    const blob = db.prepare('SELECT members FROM cell_members').pluck().get() as Buffer;
    const stride = memberBytes(TOY_DIMENSIONS);
    const records = Array.from({ length: blob.length / stride }, (_, i) =>
      Buffer.from(blob.subarray(i * stride, (i + 1) * stride)),
    );
    db.prepare('UPDATE cell_members SET members = ?').run(Buffer.concat(change(records)));
  };
}

function withDocument(record: Buffer | undefined, document: number): Buffer {
  const changed = Buffer.from(record as Buffer);
  changed.writeUInt32LE(document, 0);
  return changed;
}
