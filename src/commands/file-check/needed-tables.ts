/** Which tables searches and the ledger need. The others are for pages, builds, and reports. */

/** The index as searches read it. Only look-ups and verification find papers by `title_keys`. */
const ofIndex = [
  ...['documents', 'documents_text', 'signals', 'term_counts', 'postings', 'inverted_lists'],
  ...['list_entries', 'document_lists', 'centroid_groups', 'document_facets', 'author_keys'],
  ...['source_records', 'record_keys', 'withheld_documents', 'index_facts'],
];

/** What paid calls and payments read and write, with what triggers write for them. */
const ofLedger = [
  ...['customers', 'api_keys', 'replaced_secrets', 'client_grants', 'client_tokens'],
  ...['ledger_entries', 'open_holds', 'usage', 'usage_days', 'ledger_days'],
  ...['latency_days', 'lane_days', 'outcome_days', 'payments', 'billing_notices'],
  ...['stored_answers', 'stored_answer_totals'],
  ...['automatic_top_ups', 'account_place', 'sqlite_sequence', 'sqlite_schema'],
];

const needed: ReadonlySet<string> = new Set([...ofIndex, ...ofLedger]);

/** Returns whether damage to a table, or to one behind the full text, fails searches or the ledger. */
export function isNeeded(table: string): boolean {
  return needed.has(table.replace(/^(documents_text)_\w+$/, '$1'));
}
