/** The language and the field of each document, and files that are read again for them. */

/** Existing rows are not written: the default counts for them. */
export const languagesAndFields = `
-- As the facets of an SQLite file have them; see index/facets/facets.ts. 0: not known.
ALTER TABLE document_facets ADD COLUMN language smallint NOT NULL DEFAULT 0;
ALTER TABLE document_facets ADD COLUMN field smallint NOT NULL DEFAULT 0;
DELETE FROM build_checkpoints;`;
