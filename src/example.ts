/** What every example asks: in README, on /docs and the dashboard, in the help and after the start. */

/** The sample has a finding that answers it: `test/search/search-sample.test.ts`. */
export const exampleQuestion = 'does sleep help memory';
