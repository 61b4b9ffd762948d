/** Lists the records of an index by where they came from, on either database. */
import type { Bound } from '../../database/sql/bind.ts';
import { query, type Sql } from '../../database/sql/sql.ts';
import type { Source } from '../../identity/kept-record.ts';
import type { FileNumber } from './source-files.ts';
import { type RecordRow, type StoredRecord, toStored } from './stored-records.ts';

/** Documents or records of a page. */
const RECORDS_PER_PAGE = 500;
const FILES_PER_PAGE = 5_000;

/** Nothing that only waits, and nothing that is left of removed papers. */
const OF_DOCUMENTS = 'r.part IS NULL AND d.number = r.document';

const COLUMNS = `r.number, r.document, r.source, r.part, r.updated_at, r.withheld, r.identifiers, r.fields,
  r.file, NULL AS notice, NULL AS details,
  NULL AS cited, d.id, d.title, d.year, d.authors, d.venue`;

export type RecordLists = Bound<ReturnType<typeof recordLists>>;

/** `isPersonal`: how the database's index of personal records says that a record \`r\` is one. */
export function recordLists(isPersonal: string) {
  return {
    /** Returns at most 5,000 files after a number, ascending. */
    *listFiles(after: FileNumber): Sql<{ number: FileNumber; path: string }[]> {
      return yield* query(
        `SELECT number, path FROM source_files WHERE number > $1 ORDER BY number
         LIMIT ${FILES_PER_PAGE}`,
        [after],
      );
    },
    /** Returns at most 500 records of these files after a number, ascending, without their abstracts. */
    *listRecords(
      files: { first: FileNumber; last: FileNumber },
      after: number,
    ): Sql<StoredRecord[]> {
      const rows = yield* query<RecordRow>(
        `SELECT ${COLUMNS}, '' AS abstract FROM source_records r JOIN documents d ON ${OF_DOCUMENTS}
         WHERE r.number > $1 AND r.file BETWEEN $2 AND $3 ORDER BY r.number LIMIT ${RECORDS_PER_PAGE}`,
        [after, files.first, files.last],
      );
      return rows.map(listed);
    },
    /**
     * Returns the records of a table or a personal bibliography in the next 500 documents that have any,
     * after a document, ascending by documents.
     */
    *listPersonal(source: Source, after: number): Sql<StoredRecord[]> {
      const own = `r.source = $1 AND ${isPersonal} AND r.document > $2`;
      const rows = yield* query<RecordRow>(
        `SELECT ${COLUMNS}, d.abstract FROM source_records r JOIN documents d ON ${OF_DOCUMENTS}
         WHERE ${own} AND r.document <= (SELECT max(document) FROM (
           SELECT r.document FROM source_records r WHERE ${own} ORDER BY r.document
           LIMIT ${RECORDS_PER_PAGE}) AS page)
         ORDER BY r.document, r.number`,
        [source, after],
      );
      return rows.map(listed);
    },
  };
}

/** Without its hash, its notice, and its details. */
function listed(row: RecordRow): StoredRecord {
  return toStored({ ...row, number: Number(row.number), hash: Buffer.alloc(0) });
}
