/** Step 17: what filters compare, and what sources say about papers besides their citation. */
import type { Connection } from '../sqlite/connection.ts';
import { BLOCK_DOCUMENTS, type FacetsFrom, packBlock } from './frozen/facets.ts';
import type { Step } from './step.ts';

export const facetsAndDetails: Step = {
  name: 'facets and details',
  sql: `
CREATE TABLE document_facets (
  block  INTEGER PRIMARY KEY,
  packed BLOB NOT NULL
);

ALTER TABLE source_records ADD COLUMN details TEXT;

CREATE INDEX source_records_personal ON source_records (source, document)
  WHERE source GLOB 'personal *';

-- Files are read again, so that what their records say besides is kept.
DELETE FROM build_checkpoints;
`,
  convert,
};

/** Gives each document its facets. Takes some seconds for a hundred thousand documents. */
function convert(db: Connection): void {
  const last = Number(db.prepare('SELECT max(number) FROM documents').pluck().get() ?? -1);
  const readDocuments = db.prepare(
    `SELECT number, min(year, 65535) AS year, venue, abstract <> '' AS hasAbstract
     FROM documents WHERE number BETWEEN ? AND ?`,
  );
  const readSources = db.prepare(
    `SELECT document, source FROM source_records
     WHERE document BETWEEN ? AND ? AND part IS NOT 'notice'`,
  );
  const write = db.prepare('INSERT INTO document_facets (block, packed) VALUES (?, ?)');
  for (let block = 0; block * BLOCK_DOCUMENTS <= last; block++) {
    const range = [block * BLOCK_DOCUMENTS, (block + 1) * BLOCK_DOCUMENTS - 1];
    const documents = readDocuments.all(...range) as Omit<FacetsFrom, 'sources'>[];
    const sourcesOf = new Map(documents.map(({ number }) => [number, [] as string[]]));
    const sources = readSources.all(...range) as { document: number; source: string }[];
    for (const { document, source } of sources) sourcesOf.get(document)?.push(source);
    const facets = documents.map((one) => ({ ...one, sources: sourcesOf.get(one.number) ?? [] }));
    write.run(block, packBlock(facets));
  }
}
