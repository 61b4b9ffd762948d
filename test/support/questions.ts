/** Questions that the sample answers, for traffic that should not always ask the same. */
export const QUESTIONS = [
  ...['does sleep help memory', 'effect of shade on coffee yield', 'snapshot isolation anomalies'],
  ...['how fast does the universe expand', 'vaccines and immune memory', 'p < 0.05 replication'],
];
