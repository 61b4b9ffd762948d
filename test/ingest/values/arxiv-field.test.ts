import { expect, it } from 'vitest';
import { arxivField } from '../../../src/ingest/values/arxiv-field.ts';

it.each([
  ['cs.CL math.ST', 'Computer science'],
  ['math-ph', 'Physics'],
  ['math.CO', 'Mathematics'],
  ['hep-th gr-qc', 'Physics'],
  [' cmp-lg', 'Computer science'],
  ['eess.SP', 'Electrical engineering'],
  ['q-fin.RM', 'Quantitative finance'],
  ['toString', undefined],
  ['', undefined],
])('the field of the categories %j is %j', (categories, field) => {
  expect(arxivField(categories)).toBe(field);
});
