import { describe } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { extendPostings } from '../../../src/index/lexical/extend-postings.ts';
import { termOf } from '../../../src/text/terms.ts';
import { type Damage, findsEach } from './damage.ts';

/** "it" is in the first two documents, "rose" in the first. */
const IT = termOf('it');
const ROSE = termOf('rose');

function afterExtending(sql: string): (db: Connection) => void {
  return (db) => {
    for (const _ of extendPostings(db));
    db.exec(sql);
  };
}

const DAMAGES: Damage[] = [
  ['missing postings', `DELETE FROM postings WHERE term = ${ROSE}`, 'lack 1 documents'],
  [
    'postings that lack a document',
    `UPDATE postings SET documents = x'0100' WHERE term = ${IT}`,
    `the postings of term ${IT} lack 1 documents`,
  ],
  [
    'postings with another document',
    `UPDATE postings SET documents = x'0300' WHERE term = ${ROSE}`,
    `the postings of term ${ROSE} are other documents`,
  ],
  [
    'postings with a duplicate document',
    `UPDATE postings SET documents = x'01000100' WHERE term = ${IT}`,
    `the postings of term ${IT} are not ascending`,
  ],
  [
    'postings in the wrong order',
    `UPDATE postings SET documents = x'02000100' WHERE term = ${IT}`,
    `the postings of term ${IT} are not ascending`,
  ],
  [
    'postings of a term that no document contains',
    `INSERT INTO postings VALUES (7, 0, x'0200')`,
    'the postings of term 7 lack -1 documents',
  ],
  [
    'a watermark behind the last document',
    "UPDATE index_facts SET value = 4 WHERE name = 'listed'; INSERT INTO postings VALUES (7, 0, x'0400')",
    'the postings of term 7 ',
  ],
].map(([what, sql, problem]) => [what as string, afterExtending(sql as string), problem as string]);

describe('verifyIndex, for postings,', () => {
  findsEach(DAMAGES);
});
