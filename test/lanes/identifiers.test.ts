import { expect, it } from 'vitest';
import { arxivIdOf, doiOf } from '../../src/lanes/identifiers.ts';

it.each([
  ['10.1000/ABC', '10.1000/abc'],
  [' https://doi.org/10.1000/ABC ', '10.1000/abc'],
  ['http://dx.doi.org/10.1000/x', '10.1000/x'],
  ['doi: 10.1000.10/x(1)', '10.1000.10/x(1)'],
  ['10.48550/arXiv.2401.00001', undefined],
  ['https://ex.org/10.1000/x', undefined],
  ['10.1000', undefined],
  ['10.1000/a b', undefined],
  ['', undefined],
  [null, undefined],
  [7, undefined],
])('the DOI of %j is %j', (text, doi) => {
  expect(doiOf(text)).toBe(doi);
});

it.each([
  ['http://arxiv.org/abs/2401.00001v3', '2401.00001'],
  ['http://arxiv.org/abs/hep-ex/0307015v1', 'hep-ex/0307015'],
  ['https://arxiv.org/pdf/2401.00001v2.pdf', '2401.00001'],
  ['https://arxiv.org/abs/2401.00001?context=cs', '2401.00001'],
  ['https://doi.org/10.48550/arXiv.2401.00001', '2401.00001'],
  ['arXiv:0704.0001', '0704.0001'],
  ['math.GT/0309136', 'math.gt/0309136'],
  ['https://ex.org/abs/2401.00001', undefined],
  ['2401.1', undefined],
  ['', undefined],
  [null, undefined],
])('the arXiv id of %j is %j', (text, id) => {
  expect(arxivIdOf(text)).toBe(id);
});
