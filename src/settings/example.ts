/** What every example asks: in README, on /docs and the dashboard, in the help and after the start. */

/** The sample has a finding that answers it: `test/search/search-sample.test.ts`. */
export const exampleQuestion = 'does sleep help memory';

/** The paper with the finding, and the sentence that a search quotes. */
export const samplePaper = {
  id: 'sample:psychology-sleep-and-forgetting',
  title: 'Sleep after learning and the retention of new memories',
  year: 2026,
  authors: ['Verbatim sample authors'],
  quote:
    'Sleep after learning improves memory: people forget less over a night of sleep than over the same time awake.',
} as const;
