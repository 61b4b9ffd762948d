import { describe, expect, it } from 'vitest';
import { arxivOaiFormat } from '../../../src/ingest/formats/arxiv-oai.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads every pitfall of the fixture', async () => {
  expect(await entriesOf(arxivOaiFormat, fixture('arxiv-oai.xml'))).toEqual([
    {
      line: 6,
      document: recordOf({
        id: '10.5555/tides.1',
        title: 'Tides of order $O(n^2)$ in shallow <i>seas</i>',
        abstract: 'We measure tides with $\\alpha < 5$ at two shores.\n\nThey rise.\n\nThey fall.',
        year: 2023,
        authors: ['A. Berg', 'Björn Lind Jr.', 'the Seagrass Collaboration'],
        venue: 'J. Invent. Tides 4 (2024) 1-5',
        identifiers: { doi: '10.5555/tides.1', arxiv: '2401.00001' },
        updatedAt: Date.parse('2025-05-06T00:00:00Z'),
      }),
    },
    { line: 37, deletion: { arxiv: 'hep-ex/0307015' } },
    {
      line: 43,
      problem: 'the metadata are neither arXiv nor arXivRaw nor oai_dc',
      reason: 'malformed',
    },
    {
      line: 54,
      document: recordOf({
        id: 'arXiv:math/0309136',
        title: 'On tides',
        abstract: 'Tides are periodic.',
        year: 2003,
        authors: ['Cai Hólm III', 'Seagrass Collaboration'],
        identifiers: { arxiv: 'math/0309136' },
        withheld: 'withdrawn',
        updatedAt: Date.parse('2008-11-26T00:00:00Z'),
      }),
    },
    {
      line: 73,
      problem: 'not records but an error of the interface: badResumptionToken it has expired',
      reason: 'malformed',
    },
  ]);
});

describe('an OAI-PMH response', () => {
  const answer = (content: string): string =>
    `<OAI-PMH><request>https://arxiv.org/oai</request><ListRecords>${content}</ListRecords></OAI-PMH>`;

  it.each<[boolean, string, string]>([
    [true, 'records', answer('<record/>')],
    [
      true,
      'records of a prefixed kind',
      '<o:OAI-PMH><o:request>https://arxiv.org/oai</o:request></o:OAI-PMH>',
    ],
    [
      true,
      'the address of before 2025',
      '<OAI-PMH><request>http://export.arxiv.org/oai2</request></OAI-PMH>',
    ],
    [
      false,
      'that of another repository',
      '<OAI-PMH><request>https://example.org/oai</request></OAI-PMH>',
    ],
    [
      false,
      'a feed of arXiv',
      '<feed xmlns="http://www.w3.org/2005/Atom"><id>http://arxiv.org/api</id></feed>',
    ],
    [false, 'PubMed that names arxiv.org', '<PubmedArticleSet>arxiv.org</PubmedArticleSet>'],
    [false, 'a page of arxiv.org', '<!DOCTYPE html><html>arxiv.org OAI-PMH</html>'],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(arxivOaiFormat, content)).toBe(expected);
  });

  it.each([
    ['This paper has been withdrawn by the authors', '', true],
    ['This submission was withdrawn', '', true],
    ['The authors have left. Withdrawn money is not.', '', false],
    ['We show that this paper has been withdrawn', '', false],
    ['', 'Withdrawn due to an error', true],
    ['', '5 pages, replaces one that was withdrawn', false],
  ])(
    'with the abstract %j and the comments %j is withheld: %s',
    async (abstract, comments, expected) => {
      const record = `<record><metadata><arXiv><abstract>${abstract}</abstract><comments>${comments}</comments></arXiv></metadata></record>`;
      const [entry] = await entriesOf(arxivOaiFormat, answer(record));
      expect(entry !== undefined && 'document' in entry && entry.document.withheld).toBe(
        expected ? 'withdrawn' : undefined,
      );
    },
  );

  it.each([
    ['A. Berg, B. Lind and C. Holm', ['A. Berg', 'B. Lind', 'C. Holm']],
    ['A. Berg, B. Lind, and C. Holm', ['A. Berg', 'B. Lind', 'C. Holm']],
    ['A. Berg (Shore (the old one), Pier), B. Lind', ['A. Berg', 'B. Lind']],
    ['A. Berg (never closed, B. Lind', ['A. Berg']],
    ['Seagrass Collaboration: A. Berg, et al.', ['Seagrass Collaboration', 'A. Berg']],
    ["{\\'E}va Berg, Bj{\\o}rn Lind,\n  Ca\\~no", ['Éva Berg', 'Bjørn Lind', 'Caño']],
    ['Alexandra Anderson', ['Alexandra Anderson']],
    ['', []],
  ])('splits the authors %j', async (text, authors) => {
    const record = `<record><metadata><arXivRaw><authors>${text}</authors></arXivRaw></metadata></record>`;
    const [entry] = await entriesOf(arxivOaiFormat, answer(record));
    expect(entry).toMatchObject({ document: { authors } });
  });

  it('is read up to the point where it breaks off', async () => {
    const content = answer(
      '<record><header status="deleted"><identifier>oai:arXiv.org:2401.00001</identifier></header></record><record>',
    );
    await expect(entriesOf(arxivOaiFormat, content.slice(0, -30))).rejects.toThrow('breaks off');
  });
});
