/** What is stored of the browsers that a customer has signed in with; see known-browsers.ts. */
export const knownBrowserTables = `
ALTER TABLE customers ADD COLUMN browser_key BLOB;         -- NULL: no browser is known
`;
