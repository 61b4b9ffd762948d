/** Step 38: names of today. A cell is an inverted list, a center its centroid, a form copy its idempotency key. */
export const listsAndCentroids = {
  name: 'lists and centroids',
  sql: `
ALTER TABLE cells RENAME TO inverted_lists;
ALTER TABLE inverted_lists RENAME COLUMN cell TO list;
ALTER TABLE inverted_lists RENAME COLUMN centre TO centroid;
ALTER TABLE cell_members RENAME TO list_entries;
ALTER TABLE list_entries RENAME COLUMN cell TO list;
ALTER TABLE list_entries RENAME COLUMN members TO entries;
ALTER TABLE document_cells RENAME TO document_lists;
ALTER TABLE document_lists RENAME COLUMN cell TO list;
UPDATE index_facts SET name = 'centroids' WHERE name = 'centres';

DROP INDEX api_keys_by_form;
ALTER TABLE api_keys RENAME COLUMN form_copy TO idempotency_key;
CREATE UNIQUE INDEX api_keys_by_idempotency_key ON api_keys (customer_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
`,
};
