import { describe } from 'vitest';
import type { Connection } from '../../../../src/store/database/connection.ts';
import { extendPostings } from '../../../../src/store/index/lexical/extend-postings.ts';
import { termOf } from '../../../../src/text/terms.ts';
import { type Damage, findsEach } from './damage.ts';

/** "it" is in the first two documents, "rose" in the first. */
const IT = termOf('it');
const ROSE = termOf('rose');

function afterListing(sql: string): (db: Connection) => void {
  return (db) => {
    for (const _ of extendPostings(db));
    db.exec(sql);
  };
}

const DAMAGES: Damage[] = [
  ['a lost list', `DELETE FROM postings WHERE term = ${ROSE}`, '1 documents are missing'],
  [
    'a list without one of its documents',
    `UPDATE postings SET documents = x'0100' WHERE term = ${IT}`,
    `postings of term ${IT}: 1 documents are missing`,
  ],
  [
    'a list of another document',
    `UPDATE postings SET documents = x'0300' WHERE term = ${ROSE}`,
    `postings of term ${ROSE}: other documents have it`,
  ],
  [
    'a list that names one twice',
    `UPDATE postings SET documents = x'01000100' WHERE term = ${IT}`,
    `postings of term ${IT}: not ascending`,
  ],
  [
    'a list in another order',
    `UPDATE postings SET documents = x'02000100' WHERE term = ${IT}`,
    `postings of term ${IT}: not ascending`,
  ],
  [
    'a list of a term that nobody has',
    `INSERT INTO postings VALUES (7, 0, x'0200')`,
    'postings of term 7: -1 documents are missing',
  ],
  [
    'a mark before what is listed',
    "UPDATE index_facts SET value = 4 WHERE name = 'listed'; INSERT INTO postings VALUES (7, 0, x'0400')",
    'postings of term 7: ',
  ],
].map(([what, sql, problem]) => [what as string, afterListing(sql as string), problem as string]);

describe('verifyIndex', () => {
  findsEach(DAMAGES);
});
