import { describe, expect, it } from 'vitest';
import { jatsFormat } from '../../../src/ingest/formats/jats.ts';
import { entriesOf } from '../read-format.ts';

const article = (title: string, rest: string, front = ''): string =>
  `<article><front><article-meta><title-group><article-title>${title}</article-title></title-group></article-meta>${front}</front>${rest}</article>`;
const back = (...refs: string[]): string =>
  `<back><ref-list>${refs.map((ref) => `<ref>${ref}</ref>`).join('')}</ref-list></back>`;
const doi = (id: string): string =>
  `<mixed-citation>A. <pub-id pub-id-type="doi">${id}</pub-id></mixed-citation>`;

const read = async (content: string): Promise<unknown[]> =>
  (await entriesOf(jatsFormat, `<pmc-articleset>${content}</pmc-articleset>`)).map((entry) =>
    'document' in entry
      ? { title: entry.document.title, references: entry.document.references }
      : entry,
  );

describe('the references of a JATS article', () => {
  it('are its works with identifiers of each type, or else with a text', async () => {
    const refs = [
      `<label>1</label><element-citation><pub-id pub-id-type="doi">10.5555/A</pub-id>
        <pub-id pub-id-type="pmid">7</pub-id><pub-id pub-id-type="pmcid">8</pub-id></element-citation>`,
      '<mixed-citation>Ek. <pub-id pub-id-type="arxiv">2401.00001</pub-id></mixed-citation>',
      '<mixed-citation>Ek. <ext-link href="https://example.org"/><italic><ext-link xlink:href="https://doi.org/10.5555/B" xmlns:xlink="x"/></italic></mixed-citation>',
      '<label>4</label><mixed-citation>Dahl B. <italic>Mud</italic>.\n 1999.</mixed-citation><mixed-citation>Ek C. Sand.</mixed-citation>',
      `<element-citation><person-group><name><surname>Berg</surname> <given-names>A</given-names></name>
        <name><surname>Dahl</surname></name></person-group><year>1998</year><article-title>Tides</article-title>
        <source>Shore</source><volume>12</volume><fpage>3</fpage></element-citation>`,
      `<citation-alternatives><element-citation><source>Kelp</source></element-citation>
        <mixed-citation>Fox D. Kelp.</mixed-citation></citation-alternatives>`,
      '<note><p>See the appendix.</p></note>',
    ];
    expect(await read(article('T', back(...refs)))).toEqual([
      {
        title: 'T',
        references: [
          { identifiers: { doi: '10.5555/a', pmid: '7', pmcid: 'PMC8' } },
          { identifiers: { arxiv: '2401.00001' } },
          { identifiers: { doi: '10.5555/b' } },
          { identifiers: {}, text: 'Dahl B. Mud. 1999.' },
          { identifiers: {}, text: 'Ek C. Sand.' },
          { identifiers: {}, text: 'Berg A et al. (1998). Tides. Shore, 12, 3' },
          { identifiers: {}, text: 'Fox D. Kelp.' },
        ],
      },
    ]);
  });

  it('belong to that article, and not to its letters or to its neighbors', async () => {
    const letter = `<sub-article><front><article-meta/></front>${back(doi('10.5555/letter'))}</sub-article>`;
    const notes = `<notes><ref-list><ref>${doi('10.5555/notes')}</ref></ref-list></notes>`;
    const content = [
      article('One', back(doi('10.5555/a')) + letter + back(doi('10.5555/b')), notes),
      article('Two', '<body><p>No references.</p></body>'),
      article('Three', back(doi('10.5555/c'))),
    ].join('');
    expect(await read(content)).toEqual([
      {
        title: 'One',
        references: ['10.5555/a', '10.5555/b'].map((id) => ({ identifiers: { doi: id } })),
      },
      { title: 'Two', references: undefined },
      { title: 'Three', references: [{ identifiers: { doi: '10.5555/c' } }] },
    ]);
  });

  it('do not cost the article when they are malformed', async () => {
    const bad = article('One', back(doi('10.5555/a'), '<mixed-citation a=b>', doi('10.5555/c')));
    const entries = await read(bad + article('Two', back(doi('10.5555/d'))));
    expect(entries[0]).toEqual({
      title: 'One',
      references: [{ identifiers: { doi: '10.5555/a' } }],
    });
    expect(entries[1]).toMatchObject({ reason: 'malformed' });
    expect(entries.at(-1)).toMatchObject({ title: 'Two', references: [{}] });
  });

  it('of a file that breaks off are kept with the article', async () => {
    const entries: unknown[] = [];
    const whole = article('One', back(doi('10.5555/a')));
    const broken = whole.slice(0, whole.indexOf('</back>'));
    const collect = async (): Promise<void> => {
      const source = {
        path: 'file',
        chunks: async function* () {
          yield Buffer.from(broken);
        },
      };
      for await (const entry of jatsFormat.entries(source as never, { lineBytesMax: 1e5 })) {
        entries.push(entry);
      }
    };
    await expect(collect()).rejects.toThrow('breaks off');
    expect(entries).toMatchObject([
      { document: { title: 'One', references: [{ identifiers: { doi: '10.5555/a' } }] } },
    ]);
  });
});
