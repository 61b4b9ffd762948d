/** Step 37: room for the language and the field of each document in its facets. */
import type { Connection } from '../sqlite/connection.ts';
import type { Step } from './step.ts';

/** Documents in a block, and the bytes of the facets of each before and after this step. */
const BLOCK_DOCUMENTS = 1024;
const BYTES_BEFORE = 12;
const BYTES_AFTER = 16;

export const languagesAndFields: Step = {
  name: 'languages and fields',
  sql: `
-- Files are read again, so that the languages and fields in their records are kept.
DELETE FROM build_checkpoints;
`,
  convert,
};

/** Languages and fields are not known until the files are read again. */
function convert(db: Connection): void {
  const blocks = db.prepare('SELECT block FROM document_facets').pluck().all();
  const read = db.prepare('SELECT packed FROM document_facets WHERE block = ?').pluck();
  const write = db.prepare('UPDATE document_facets SET packed = ? WHERE block = ?');
  for (const block of blocks) {
    const before = read.get(block) as Buffer;
    const after = Buffer.alloc(BLOCK_DOCUMENTS * BYTES_AFTER);
    for (let place = 0; place < BLOCK_DOCUMENTS; place++) {
      const from = place * BYTES_BEFORE;
      before.copy(after, place * BYTES_AFTER, from, from + BYTES_BEFORE);
    }
    write.run(after, block);
  }
}
