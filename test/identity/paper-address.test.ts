import { describe, expect, it } from 'vitest';
import { paperAddress } from '../../src/identity/paper-address.ts';

describe('the address of a paper', () => {
  it.each([
    ['10.1000/a.b(c)', 'https://doi.org/10.1000/a.b(c)'],
    ['10.1000/a?b#c%2F<d>', 'https://doi.org/10.1000/a%3Fb%23c%252F%3Cd%3E'],
    ['10.1000/\ud800', 'https://doi.org/10.1000/%EF%BF%BD'],
    ['arXiv:2401.00001', 'https://arxiv.org/abs/2401.00001'],
    ['arXiv:hep-th/9901001', 'https://arxiv.org/abs/hep-th/9901001'],
    ['PMID:7', 'https://pubmed.ncbi.nlm.nih.gov/7'],
    ['PMC7', 'https://pmc.ncbi.nlm.nih.gov/articles/PMC7'],
    ['ACL:2024.acl-long.1', 'https://aclanthology.org/2024.acl-long.1'],
    ['W7', 'https://openalex.org/W7'],
    ['CorpusId:7', 'https://api.semanticscholar.org/CorpusID:7'],
    ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
  ])('of %s is %s', (id, address) => {
    expect(paperAddress(id)).toBe(address);
  });

  it.each([
    ...[
      'sample:psychology-1',
      'CorpusId:x',
      'PMID:7/../x',
      'javascript:alert(1)',
      'data:text/html,x',
    ],
    ...['arXiv:../evil', 'arXiv://evil.example', ' https://a.example', 'https://', ''],
  ])('of %j is undefined', (id) => {
    expect(paperAddress(id)).toBeUndefined();
  });
});
