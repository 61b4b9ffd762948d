/** How good searches are, as README says it: its figures, with what measured them. A test compares both. */
import type { DocsTable } from './table.ts';

const EVALUATE = '`npm run measure -- evaluate-answers --db FILE`';

export const measuredFigures: DocsTable = {
  caption: 'Measured on 2 cores with collections that are not part of this index',
  heads: ['what', 'figure', 'measured by'],
  rows: [
    [
      'Ranking of papers on SciFact, nDCG@10; BM25 as published has 0.665',
      '0.764',
      '`verbatim eval --corpus F --queries F --qrels F`',
    ],
    [
      'The right paper is among ten results: 616 questions that language models wrote, 15,560 papers',
      '0.86',
      EVALUATE,
    ],
    ['Its quote answers the question, where the paper was found', '0.82', EVALUATE],
    ['The first result is the right paper, and its quote answers', '0.54', EVALUATE],
    [
      'Median time of a search over HTTP, in milliseconds, 161,699 papers',
      '7.0 to 7.7',
      '`npm run bench -- --db FILE --only serving`',
    ],
  ],
};
