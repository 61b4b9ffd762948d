import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  documentIdOf,
  doiPrefixOf,
  identifiersInId,
  identifiersOf,
  normalizeDoi,
  schemes,
} from '../../src/identity/identifiers.ts';
import type { Identifiers } from '../../src/types.ts';

const spellings = [
  ...['10.1000/182', 'https://doi.org/10.1000/ABC(1)', 'doi:10.5555/%3C1%3E', 'hep-ex/0307015'],
  ...['10.48550/arXiv.2401.00001v2', 'arXiv:2401.00001v3', 'https://arxiv.org/abs/2401.00001'],
  ...['pmid:123', 'PMC0012', 'https://openalex.org/W42', 'P19-1001', '2024.acl-long.1'],
  ...['CorpusID:9', '0', '-1'],
];

describe('normalizeDoi', () => {
  it.each([
    ['', ''],
    ['10.5555/ABC', '10.5555/abc'],
    [' https://doi.org/10.5555/Abc ', '10.5555/abc'],
    ['http://dx.doi.org/10.5555/abc', '10.5555/abc'],
    ['HTTPS://DOI.ORG/10.5555/abc', '10.5555/abc'],
    ['https://www.doi.org/10.5555/abc', '10.5555/abc'],
    ['doi.org/10.5555/abc', '10.5555/abc'],
    ['doi: 10.5555/abc', '10.5555/abc'],
    ['DOI:10.5555/abc', '10.5555/abc'],
    ['DOI 10.5555/abc', '10.5555/abc'],
    ['https://doi.org/doi:10.5555/abc', '10.5555/abc'],
    ['info:doi/10.5555/abc', '10.5555/abc'],
    ['https://doi.org/10.5555%2FAb%3Cc', '10.5555/ab<c'],
    ['https://doi.org/10.5555%2Fa%', ''],
    ['10.5555/a/doi.org/b', '10.5555/a/doi.org/b'],
    ['10.5555/abc.', '10.5555/abc'],
    ['10.5555/abc),', '10.5555/abc'],
    ['10.1016/S0140-6736(05)67889-5', '10.1016/s0140-6736(05)67889-5'],
    ['10.1016/0001-6160(84)', '10.1016/0001-6160(84)'],
    [
      '10.1002/(SICI)1097-0258(19980815)17:15<1661::AID>3.0.CO;2-2',
      '10.1002/(sici)1097-0258(19980815)17:15<1661::aid>3.0.co;2-2',
    ],
    [
      'https://doi.org/10.1002/(SICI)1097-4679(199901)55:1%3C1::AID-JCLP1%3E3.0.CO;2-A',
      '10.1002/(sici)1097-4679(199901)55:1<1::aid-jclp1>3.0.co;2-a',
    ],
    ['10.5555/a%3cb', '10.5555/a%3cb'],
    ['https://doi.org/10.5555/100%', '10.5555/100%'],
    ['10.1000.10/abc', '10.1000.10/abc'],
    ['10.5555/abc and 10.5555/def', '10.5555/abc'],
    ['10.5555/a\u200bb\u00ad', '10.5555/ab'],
    ['10.5555/a\0', ''],
    ['10.5555/\ud800', ''],
    ['10.5555/', ''],
    ['10.5555', ''],
    ['10.55/abc', ''],
    ['11.5555/abc', ''],
    ['n/a', ''],
    ['https://example.org/10.5555/abc', ''],
  ])('turns %j into %j', (text, doi) => {
    expect(normalizeDoi(text)).toBe(doi);
  });

  it('is idempotent', () => {
    const part = fc.constantFrom('a', 'B', '.', '(', ')', '<', '>', ' ', '/', 'é', '%2f', 'doi:');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const doi = normalizeDoi(`10.5555/${parts.join('')}`);
        expect(normalizeDoi(doi)).toBe(doi);
      }),
    );
  });
});

describe('identifiersOf', () => {
  it.each<[keyof Identifiers, unknown, string | undefined]>([
    ['doi', 'https://doi.org/10.5555/A', '10.5555/a'],
    ['doi', null, undefined],
    ['doi', ['10.5555/a'], undefined],
    ['arxiv', '2401.00001', '2401.00001'],
    ['arxiv', '0704.0001', '0704.0001'],
    ['arxiv', 'arXiv:2401.00001v12', '2401.00001'],
    ['arxiv', 'https://arxiv.org/abs/2401.00001v2', '2401.00001'],
    ['arxiv', 'http://export.arxiv.org/pdf/2401.00001v2.pdf', '2401.00001'],
    ['arxiv', 'oai:arXiv.org:hep-th/9901001', 'hep-th/9901001'],
    ['arxiv', 'math.GT/0309136v1', 'math/0309136'],
    ['arxiv', 'Hep-Ex/0307015', 'hep-ex/0307015'],
    ['arxiv', 'cond-mat.mes-hall/0309136', 'cond-mat/0309136'],
    ['arxiv', '10.48550/arXiv.2401.00001', '2401.00001'],
    ['arxiv', 'https://doi.org/10.48550/arXiv.2401.00001', '2401.00001'],
    ['arxiv', 'https://arxiv.org/abs/2401.00001?context=cs', '2401.00001'],
    ['arxiv', 'https://arxiv.org/html/2401.00001v2#S3', '2401.00001'],
    ['arxiv', 'arxiv.org/abs/math.GT/0309136', 'math/0309136'],
    ['arxiv', 'https://ex.org/abs/2401.00001', undefined],
    ['arxiv', 'https://ex.org/share?url=https://arxiv.org/abs/2401.00001', undefined],
    ['arxiv', 'https://notarxiv.org/abs/2401.00001', undefined],
    ['arxiv', '2401.1', undefined],
    ['arxiv', 'abs', undefined],
    ['pmid', '12345', '12345'],
    ['pmid', 12345, '12345'],
    ['pmid', '0012', '12'],
    ['pmid', 'PMID: 12', '12'],
    ['pmid', 'MEDLINE:12', '12'],
    ['pmid', 'https://pubmed.ncbi.nlm.nih.gov/12345/', '12345'],
    ['pmid', 'https://www.ncbi.nlm.nih.gov/pubmed/12345', '12345'],
    ['pmid', '0', undefined],
    ['pmid', 'PMC12', undefined],
    ['pmid', 1.5, undefined],
    ['pmid', 2 ** 60, undefined],
    ['pmcid', 'PMC123', 'PMC123'],
    ['pmcid', 'pmc123.2', 'PMC123'],
    ['pmcid', '123', 'PMC123'],
    ['pmcid', 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/', 'PMC123'],
    ['pmcid', 'PMCX', undefined],
    ['acl', 'P19-1001', 'P19-1001'],
    ['acl', 'p19-1001v2', 'P19-1001'],
    ['acl', '2024.ACL-long.1', '2024.acl-long.1'],
    ['acl', '2024.acl-long.1', '2024.acl-long.1'],
    ['acl', 'https://aclanthology.org/2024.acl-long.1.pdf', '2024.acl-long.1'],
    ['acl', 'https://aclanthology.org/2024.acl-long.1/', '2024.acl-long.1'],
    ['acl', '2024.acl-long', undefined],
    ['openalex', 'https://openalex.org/W123', 'W123'],
    ['openalex', 'w123', 'W123'],
    ['openalex', 'https://openalex.org/A123', undefined],
    ['openalex', 123, undefined],
    ['s2', 123, '123'],
    ['s2', '123', '123'],
    ['s2', 'CorpusId:123', '123'],
    ['s2', 'CorpusID: 123', '123'],
    ['s2', '649def34f8be52c8b66281af98ae884c09aef38b', undefined],
  ])('reads %s of %j as %j', (scheme, value, expected) => {
    const normal = expected === undefined ? {} : { [scheme]: expected };
    expect(identifiersOf({ [scheme]: value })).toEqual(normal);
  });

  it.each<[string, Identifiers]>([
    ['10.48550/ARXIV.2401.00001', { arxiv: '2401.00001' }],
    ['10.48550/arXiv.hep-th/9901001', { arxiv: 'hep-th/9901001' }],
    ['10.18653/v1/P19-1001', { acl: 'P19-1001' }],
    ['10.18653/v1/2024.acl-long.1', { acl: '2024.acl-long.1' }],
    ['10.48550/arxiv.abc', {}],
    ['10.5555/p19-1001', {}],
  ])('finds the other identifiers in the DOI %s', (doi, others) => {
    expect(identifiersOf({ doi })).toEqual({ doi: doi.toLowerCase(), ...others });
  });

  it('prefers a given id to the one in the DOI', () => {
    const { arxiv } = identifiersOf({ doi: '10.48550/arxiv.2401.00001', arxiv: '2312.00001' });
    expect(arxiv).toBe('2312.00001');
  });

  it('never throws, is idempotent, and gives an id that leads back to it', () => {
    const text = fc
      .tuple(fc.constantFrom(...spellings), fc.nat(30), fc.oneof(fc.constant(''), fc.string()))
      .map(([spelling, at, more]) => spelling.slice(0, at) + more + spelling.slice(at));
    const value = fc.oneof(text, fc.string({ unit: 'binary' }), fc.integer(), fc.anything());
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...schemes), value), (values) => {
        const found = identifiersOf(values);
        expect(identifiersOf(found)).toEqual(found);
        const first = schemes.find((scheme) => found[scheme] !== undefined);
        if (first === undefined) return;
        const inId = identifiersInId(documentIdOf(found));
        expect(inId).toEqual(identifiersOf({ [first]: found[first] }));
      }),
    );
  });

  it.each(['(', ')', '10.5555/', 'https://', 'doi:', ' ', 'arxiv.org/', '0'])(
    'finishes with a megabyte of %j',
    (piece) => {
      const text = `10.5555/a${piece.repeat(1_000_000 / piece.length)}`;
      const all = { doi: text, arxiv: text, pmid: text, pmcid: text, acl: text };
      expect(identifiersOf(all)).toEqual({});
    },
  );
});

const all = {
  doi: '10.5555/a',
  arxiv: '2401.00001',
  pmid: '12',
  pmcid: 'PMC7',
  acl: 'P19-1001',
  openalex: 'W5',
  s2: '9',
};
const order = [
  ['doi', '10.5555/a'],
  ['arxiv', 'arXiv:2401.00001'],
  ['pmid', 'PMID:12'],
  ['pmcid', 'PMC7'],
  ['acl', 'ACL:P19-1001'],
  ['openalex', 'W5'],
  ['s2', 'CorpusId:9'],
] as const;

describe('doiPrefixOf', () => {
  it.each([
    ['10.1371', '10.1371/'],
    [' 10.1371/ ', '10.1371/'],
    ['10.1371/Journal.PONE', '10.1371/journal.pone'],
    ['10.1000.10/ab', '10.1000.10/ab'],
    ['10.123456789', '10.123456789/'],
  ])('reads %s as %s', (text, prefix) => {
    expect(doiPrefixOf(text)).toBe(prefix);
  });

  it.each(['', '10', '10.', '10.137', '10.1234567890', '10.1371.', '10.1371x', '10.1371/a b'])(
    'finds none in "%s"',
    (text) => {
      expect(doiPrefixOf(text)).toBeUndefined();
    },
  );
});

describe('documentIdOf', () => {
  it.each(order)('prefers %s to the later schemes: %s', (scheme, id) => {
    const first = order.findIndex(([candidate]) => candidate === scheme);
    const left = Object.fromEntries(order.slice(first).map(([name]) => [name, all[name]]));
    expect(documentIdOf(left, 'own')).toBe(id);
  });

  it('uses the source’s own id if there is no identifier', () => {
    expect(documentIdOf({}, 'own')).toBe('own');
    expect(documentIdOf({})).toBe('');
  });
});

describe('identifiersInId', () => {
  it.each<[id: string, identifiers: Identifiers]>([
    ['10.5555/Tides', { doi: '10.5555/tides' }],
    ['doi:10.5555/tides', { doi: '10.5555/tides' }],
    ['https://doi.org/10.5555/TIDES', { doi: '10.5555/tides' }],
    ['10.1000.10/abc', { doi: '10.1000.10/abc' }],
    ['10.48550/arXiv.2401.00001', { doi: '10.48550/arxiv.2401.00001', arxiv: '2401.00001' }],
    ['10.18653/v1/P19-1001', { doi: '10.18653/v1/p19-1001', acl: 'P19-1001' }],
    ['arXiv:2401.00001v3', { arxiv: '2401.00001' }],
    ['ARXIV:2401.00001', { arxiv: '2401.00001' }],
    ['2401.00001', { arxiv: '2401.00001' }],
    ['arXiv:hep-ex/0307015v1', { arxiv: 'hep-ex/0307015' }],
    ['math.GT/0309136', { arxiv: 'math/0309136' }],
    ['PMID:12', { pmid: '12' }],
    ['pmc7', { pmcid: 'PMC7' }],
    ['ACL:P19-1001', { acl: 'P19-1001' }],
    ['W5', { openalex: 'W5' }],
    ['OpenAlex:W5', { openalex: 'W5' }],
    ['CorpusId:9', { s2: '9' }],
    ['', {}],
    ['12', {}],
    ['24010', {}],
    ['P19-1001', {}],
    ['sample:tides-1', {}],
    ['https://ex.org/12', {}],
    ['https://ex.org/w5', {}],
    ['SemanticScholar:649def34f8be52c8b66281af98ae884c09aef38b', {}],
  ])('reads %j as %j', (id, identifiers) => {
    expect(identifiersInId(id)).toEqual(identifiers);
  });

  it('reads every id that documentIdOf makes', () => {
    for (const [scheme] of order) {
      const identifiers = { [scheme]: all[scheme] };
      expect(identifiersInId(documentIdOf(identifiers))).toEqual(identifiers);
    }
  });
});
