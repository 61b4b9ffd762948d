import { describe, expect, it } from 'vitest';
import { arxivOaiFormat } from '../../../src/ingest/formats/arxiv-oai.ts';
import { oaiDcFormat } from '../../../src/ingest/formats/oai-dc.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

describe('the oai-dc format', () => {
  it('reads the response of a repository', async () => {
    const content = fixture('oai-dc.xml');
    expect((await recognizeFormat(sourceOf(content))).name).toBe('oai-dc');
    expect(await entriesOf(oaiDcFormat, content)).toEqual([
      {
        line: 6,
        document: {
          id: '10.5555/mud.51',
          title: 'Mud & sand',
          abstract: 'Mud settles fast.\n\nIt stays.',
          year: 2014,
          authors: ['Anna Berg', 'Shore Group'],
          venue: 'Shore Letters; Vol. 3 (2014)',
          identifiers: { doi: '10.5555/mud.51' },
          updatedAt: Date.UTC(2024, 2, 4, 5, 6, 7),
        },
      },
      { line: 30, deletion: { doi: '10.5555/mud.52' } },
      {
        line: 33,
        reason: 'not_a_paper',
        problem: 'deleted, and without a DOI: oai:repository.example.org:1721/53',
      },
      { line: 36, problem: 'not a paper but Dataset', reason: 'not_a_paper' },
      {
        line: 40,
        document: recordOf({
          id: 'arXiv:2401.00055',
          title: 'Shells',
          identifiers: { arxiv: '2401.00055' },
        }),
      },
      { line: 44, problem: 'the metadata are not oai_dc', reason: 'malformed' },
      {
        line: 48,
        document: recordOf({ id: 'oai:repository.example.org:1721/57', title: 'Kelp' }),
      },
    ]);
  });

  it('leaves arXiv’s own responses to the arXiv format', async () => {
    const record = `<record><header><identifier>oai:arXiv.org:2401.00058</identifier><datestamp>2024-01-02</datestamp></header>
      <metadata><oai_dc:dc xmlns:oai_dc="a" xmlns:dc="b"><dc:title>Waves of $x^2$</dc:title><dc:creator>Berg, Anna</dc:creator>
      <dc:description>  Waves
 break.</dc:description><dc:description>Comment: withdrawn due to an error</dc:description>
      <dc:date>2023-12-31</dc:date><dc:date>2024-01-01</dc:date><dc:type>text</dc:type>
      <dc:identifier>http://arxiv.org/abs/2401.00058</dc:identifier><dc:identifier>doi:10.5555/waves</dc:identifier></oai_dc:dc></metadata></record>`;
    const content = `<OAI-PMH><request metadataPrefix="oai_dc">https://oaipmh.arxiv.org/oai</request><ListRecords>${record}</ListRecords></OAI-PMH>`;
    expect((await recognizeFormat(sourceOf(content))).name).toBe('arxiv-oai');
    expect(await entriesOf(arxivOaiFormat, content)).toEqual([
      {
        line: 1,
        document: {
          id: '10.5555/waves',
          title: 'Waves of $x^2$',
          abstract: 'Waves break.',
          year: 2023,
          authors: ['Anna Berg'],
          venue: '',
          withheld: 'withdrawn',
          identifiers: { doi: '10.5555/waves', arxiv: '2401.00058' },
          updatedAt: Date.UTC(2024, 0, 2),
        },
      },
    ]);
  });

  it('recognizes a repository’s response even if it links to arXiv', async () => {
    const content = `<OAI-PMH><request>https://example.org/oai</request><dc:identifier>http://arxiv.org/abs/2401.00001</dc:identifier><oai_dc:dc/></OAI-PMH>`;
    expect((await recognizeFormat(sourceOf(content))).name).toBe('oai-dc');
  });

  it.each([
    ['oai-dc', oaiDcFormat, 'oai:repository.example.org:1721/61'],
    ['arxiv-oai', arxivOaiFormat, 'oai:arXiv.org:2401.00061'],
  ])('reads records without the surrounding response, as %s', async (name, format, id) => {
    const record = `<record>
<header>
<identifier>${id}</identifier>
<datestamp>2024-01-02</datestamp>
</header>
<metadata>
<oai_dc:dc xmlns:oai_dc="a" xmlns:dc="b"><dc:title>Dunes</dc:title></oai_dc:dc>
</metadata>
</record>
`;
    expect((await recognizeFormat(sourceOf(record))).name).toBe(name);
    const document = { title: 'Dunes', updatedAt: Date.UTC(2024, 0, 2) };
    expect(await entriesOf(format, record + record)).toMatchObject([
      { line: 1, document },
      { line: 10, document },
    ]);
  });

  it('does not recognize other records', () => {
    const record = '<record><header>oai_dc</header><titles><title>Dunes</title></titles></record>';
    expect([oaiDcFormat, arxivOaiFormat].map((format) => recognizes(format, record))).toEqual([
      false,
      false,
    ]);
  });
});
