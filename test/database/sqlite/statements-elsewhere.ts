/** Statements in files that the main thread and the ledger's thread import, but that neither of them runs. */

/** Functions that neither of the two threads calls, and who does. */
export const elsewhere: Readonly<Record<string, string>> = {
  'accounts/sql/customers.ts listCustomers': 'the command line',
  'accounts/sql/api-keys.ts findWholeKey': 'the threads of the operator',
  'accounts/sql/request-pages.ts listFailures': 'the threads of the operator',
  'accounts/sql/operator-trail.ts listActions': 'the threads of the operator',
  'accounts/sql/answer-outcomes.ts readOutcomes': 'the threads of the operator',
  'accounts/sql/customers.ts findCustomer': 'the command line',
  'accounts/sql/operators.ts listOperators': 'the command line',
  'accounts/sql/member-rows.ts ownerOf': 'the command line',
  'accounts/sql/api-keys.ts listKeys': 'the command line',
  'accounts/sql/insert-first-customer.ts addFirstCustomer': 'the command line',
  'accounts/sql/credit-entries.ts listEntries': 'the command line',
  'accounts/sql/ledger-pages.ts readNewestEntryTime': 'the command line',
  'database/sqlite/connect.ts engineVersions': 'the command line',
  'accounts/sql/sessions.ts countSessions': 'the command line',
  'accounts/sql/payments.ts listPayments': 'the command line',
  'accounts/sql/payments.ts listStrayEvents': 'the command line',
  // For agents, the main thread looks single papers up by their id: it reads a few rows by an index.
  'index/documents/documents.ts createDocumentReader': 'searching threads',
  'database/sqlite/read-transaction.ts prepareReadTransaction': 'searching threads',
  'index/index-facts.ts prepareReviseIndex': 'builds',
  'index/index-facts.ts prepareReadLastDocument':
    'whoever meets damage: it reads one entry of the primary key',
  'index/index-facts.ts readRevision': 'searching threads',
  'index/index-facts.ts claimModel': 'builds',
  'index/index-facts.ts replaceModel': 'the command line',
  'index/index-facts.ts deleteFact': 'the command line',
  'index/index-facts.ts prepareAssertModel': 'searching threads',
  'index/records/read-changes.ts readChanges': 'searching threads',
  'accounts/sql/refund-requests.ts findRefundable': 'the threads that read for operators',
  'accounts/sql/operator-reads.ts noteOf': 'the threads that read for operators',
  'accounts/sql/given-credit.ts listGivenCredit': 'the threads that read for operators',
  'index/records/builds.ts startBuild': 'builds',
  'index/records/builds.ts readBuilds': 'the command line, and the page Index of operators',
};
/** Files that only builds and commands load. */
export const filesNotLoaded = [
  ...['sqlite', 'postgres'].flatMap((engine) =>
    ['builder', 'operator-index'].map((what) => `src/index/${engine}/${engine}-${what}.ts`),
  ),
  'src/index/sources/source-stores.ts',
];

/** Files that they only import for what else is in them, or that the operator's threads and commands run. */
export const filesElsewhere = [
  // It prepares what others say.
  'database/sqlite/run-on-sqlite.ts',
  'database/sql/sql.ts',
  'accounts/sql/account-place.ts',
  ...[
    'accounts/sqlite/ledger/audit.ts',
    'accounts/sql/kept-audits.ts',
    'accounts/sql/money-sums.ts',
  ],
  ...['accounts/sql/payments-to-review.ts', 'accounts/sql/customer-search.ts'],
  'index/records/records.ts',
  'index/forward-index.ts',
  'index/records/source-files.ts',
  // An index on PostgreSQL shares what is pure in them.
  'index/records/checkpoints.ts',
  'index/documents/stored-units.ts',
  // The main thread has a source of the index, of which it calls what looks papers up.
  'index/dense/dense-retrieval.ts',
  'index/dense/stored-centroids.ts',
  'index/documents/title-index.ts',
  'index/documents/withheld-documents.ts',
  'index/facets/allowed-documents.ts',
  'index/facets/facets-of-all.ts',
  'index/citations/stored-citations.ts',
  'index/facets/index-summary.ts',
  'index/lexical/lexical-retrieval.ts',
  'index/lexical/postings.ts',
  'index/lexical/term-statistics.ts',
];
