/** Gives a checksum to the spans of sentences that earlier versions wrote, in short transactions. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import { prepareReadLastDocument } from '../index-facts.ts';
import { encodeSpans } from '../sentence-spans.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, decodeDocument, fieldsOf } from './stored-document.ts';

const DOCUMENTS_PER_STEP = 1_000;

/**
 * Yields the finished share of the documents. The caller may stop at any step and go on later. A
 * document that is damaged gets no checksum, which would make it look sound.
 */
export function* addChecksums(db: Connection): Generator<number> {
  const readReached = db.prepare("SELECT value FROM index_facts WHERE name = 'checksums'").pluck();
  const writeReached = db.prepare("REPLACE INTO index_facts (name, value) VALUES ('checksums', ?)");
  const readWithout = db
    .prepare(
      `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE number = ? AND length(sentence_spans) % 8 = 0`,
    )
    .raw();
  // Another connection may have written the document again.
  const write = db.prepare(
    'UPDATE documents SET sentence_spans = ? WHERE number = ? AND sentence_spans = ?',
  );
  const last = prepareReadLastDocument(db)();
  for (let at = Number(readReached.get() ?? 0); at < last; ) {
    const begin = at + 1;
    at = Math.min(at + DOCUMENTS_PER_STEP, last);
    const changes: [spans: Buffer, document: DocumentNumber, before: Buffer][] = [];
    for (let number = begin; number <= at; number++) {
      const fields = unlessDamaged(() => readWithout.get(number) as DocumentRow | undefined);
      const document = fields && decodeDocument(fieldsOf(fields));
      if (document) changes.push([encodeSpans(document.spans), number, fieldsOf(fields).spans]);
    }
    const writeStep = db.transaction(() => {
      for (const change of changes) write.run(...change);
      writeReached.run(at);
    });
    // A page beside these is damaged: the next build tries again.
    if (!unlessDamaged(() => writeStep.immediate() ?? true)) return;
    yield at / last;
  }
}
