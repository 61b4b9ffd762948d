import { nameKeysOf } from '../../identity/author-keys.ts';

/** Step 48: the documents of each author. Older records have no ORCIDs, and damaged ones have no authors. */
export const authorKeys = {
  name: 'authors',
  functions: {
    keys_of_names(names: string): string {
      try {
        return JSON.stringify(nameKeysOf(JSON.parse(names)));
      } catch {
        return '[]';
      }
    },
  },
  sql: `
CREATE TABLE author_keys (
  key      INTEGER NOT NULL,
  document INTEGER NOT NULL,
  PRIMARY KEY (key, document)
) WITHOUT ROWID;
INSERT INTO author_keys (key, document)
SELECT DISTINCT k.value, d.number
FROM source_records r JOIN documents d ON d.number = r.document,
  json_each(keys_of_names(ifnull(iif(json_valid(r.fields), json_extract(r.fields, '$.authors'), NULL), d.authors))) k
WHERE r.part IS NULL
ORDER BY 1, 2;
`,
};
