/** Papers for the tests of their formats. */
import type { Paper } from '../../../src/search/papers/paper.ts';

export const TIDES: Paper = {
  id: '10.5555/tides_1',
  title: 'Tides & currents: 5% of DNA at the shore',
  abstract: 'The tide rose by 3_4 of a meter. It cost $5 {or more} at C:\\shore ~ x^2 #1.',
  year: 2020,
  authors: ['Anna Berg', 'Jan van der Dahl', 'Martin King Jr.', 'ATLAS Collaboration', 'Falk E'],
  venue: 'Journal of Shores & Seas',
  identifiers: { doi: '10.5555/tides_1', pmid: '7', pmcid: 'PMC8' },
  details: {},
  withheld: undefined,
  notices: [],
};

export const PREPRINT: Paper = {
  id: 'arXiv:2401.00001',
  title: 'Moons',
  abstract: '',
  year: 0,
  authors: [],
  venue: '',
  identifiers: { arxiv: '2401.00001' },
  details: {},
  withheld: undefined,
  notices: [],
};
