/** Step 6: how often papers are cited, for filters. The counts are in the details of their records. */
export const citationCounts = `
ALTER TABLE document_facets ADD COLUMN citations integer NOT NULL DEFAULT 0;
UPDATE document_facets f SET citations = c.most FROM (
  SELECT document, max(least((details::json ->> 'citationCount')::numeric, 2147483647))::integer AS most
  FROM source_records WHERE document > 0 AND details LIKE '%citationCount%' GROUP BY document
) c WHERE f.document = c.document AND c.most > 0;
`;
