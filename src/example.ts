/** What every example asks: in README, on /docs and the dashboard, in the help and after the start. */

/** The sample has a finding that answers it: `test/search/search-sample.test.ts`. */
export const exampleQuestion = 'does sleep help memory';

/** The paper with the finding. */
export const samplePaper = {
  id: 'sample:psychology-sleep-and-forgetting',
  title: 'Sleep after learning and the retention of new memories',
} as const;
