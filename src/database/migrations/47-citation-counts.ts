/**
 * Step 47: how often papers are cited, for filters. The counts are in the details of their records. A damaged
 * record has none.
 */
export const citationCounts = {
  name: 'citation counts',
  sql: `
ALTER TABLE document_facets ADD COLUMN citations BLOB;
CREATE TABLE counts (document INTEGER PRIMARY KEY, cited INTEGER NOT NULL);
INSERT INTO counts
  SELECT document, max(min(json_extract(details, '$.citationCount'), 2147483647)) AS most
  FROM source_records WHERE document IS NOT NULL AND details LIKE '%citationCount%'
    AND json_valid(details)
  GROUP BY document HAVING most > 0;
UPDATE document_facets SET citations = (
  WITH RECURSIVE places (place) AS
    (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < 1023)
  SELECT unhex(group_concat(printf('%02X%02X%02X%02X',
    cited & 255, cited >> 8 & 255, cited >> 16 & 255, cited >> 24), '' ORDER BY place))
  FROM (SELECT place, coalesce(cited, 0) AS cited
        FROM places LEFT JOIN counts ON document = block * 1024 + place)
) WHERE block IN (SELECT document / 1024 FROM counts);
DROP TABLE counts;
`,
};
