/** Which names can be those of one venue. */
import { describe, expect, it } from 'vitest';
import { isSameVenue } from '../../../src/verify/references/venues.ts';

describe('two names are one venue’s', () => {
  it.each([
    ['NeurIPS', 'Advances in Neural Information Processing Systems 34'],
    ['NIPS 2017', 'Adv. Neural Inf. Process. Syst.'],
    ['ICML', 'Proceedings of the 38th International Conference on Machine Learning (ICML)'],
    ['CVPR', 'Proc. IEEE/CVF Conf. Comput. Vis. Pattern Recognit.'],
    ['AAAI', 'Proceedings of the Thirty-Fifth AAAI Conference on Artificial Intelligence'],
    ['Mach. Learn.', 'Machine Learning'],
    ['J. Mach. Learn. Res.', 'Journal of Machine Learning Research'],
    ['JMLR', 'Journal of Machine Learning Research'],
    ['Nature', 'nature'],
    ['Proc. Natl. Acad. Sci. U.S.A.', 'PNAS'],
    ['Phys. Rev. Lett.', 'Physical Review Letters'],
  ])('%s and %s', (one, other) => {
    expect(isSameVenue(one, other)).toBe(true);
    expect(isSameVenue(other, one)).toBe(true);
  });
});

describe('two names are not one venue’s', () => {
  it.each([
    ['ICML', 'NeurIPS'],
    ['ICML', 'ICLR'],
    ['ACL', 'NAACL'],
    ['Findings of ACL', 'ACL'],
    ['ICML Workshop on Tides', 'ICML'],
    ['Nature', 'Nature Physics'],
    ['Journal of Adversarial Machine Learning', 'ICML'],
    ['European Conference on Machine Learning', 'ICML'],
    ['', 'ICML'],
  ])('%s and %s', (one, other) => {
    expect(isSameVenue(one, other)).toBe(false);
    expect(isSameVenue(other, one)).toBe(false);
  });
});

it('a name of 20,000 letters is compared by its beginning', () => {
  const long = `${'a'.repeat(19_800)}AA`;
  expect(isSameVenue(long, long)).toBe(true);
  expect(isSameVenue(long, 'Journal of Tides')).toBe(false);
});
