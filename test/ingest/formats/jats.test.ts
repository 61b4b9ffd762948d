import { describe, expect, it } from 'vitest';
import { jatsFormat } from '../../../src/ingest/formats/jats.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

describe('the jats format', () => {
  it('reads the front matter of the articles in a set', async () => {
    expect((await recognizeFormat(sourceOf(fixture('jats.xml')))).name).toBe('jats');
    expect(await entriesOf(jatsFormat, fixture('jats.xml'))).toEqual([
      {
        line: 6,
        document: {
          id: '10.5555/shore.31',
          title: 'Growth of Zostera in CO2-rich water: a field study',
          abstract: [
            ...['Background:', 'Grass grew by x2 if p < 0.05 – see the data.'],
            ...['Results:', 'It doubled.', 'Then it stopped.'],
          ].join('\n\n'),
          year: 2021,
          authors: ['Anna M. Berg', 'Bo Dávila Jr', 'Eelgrass Group'],
          venue: 'Shore Journal',
          identifiers: { doi: '10.5555/shore.31', pmid: '9900031', pmcid: 'PMC7700031' },
          references: [{ identifiers: { doi: '10.5555/other' } }],
          updatedAt: 0,
        },
      },
      {
        line: 44,
        document: recordOf({
          id: 'PMC7700032',
          title: 'Mud? A reply',
          abstract: 'Mud settles.',
          year: 1999,
          venue: 'Old Shore',
          identifiers: { pmcid: 'PMC7700032' },
          withheld: 'retracted',
        }),
      },
      {
        line: 56,
        supplement: {
          identifiers: { doi: '10.5555/shore.9' },
          abstract: '',
          withheld: 'retracted',
        },
      },
      {
        line: 56,
        supplement: {
          identifiers: { pmcid: 'PMC7700032' },
          abstract: '',
          withheld: 'retracted',
        },
      },
      { line: 65, document: recordOf({ id: expect.stringMatching(/^sh-7-/), title: 'Sand' }) },
    ]);
  });

  it.each([
    [true, '<article article-type="letter" xmlns:xlink="http://www.w3.org/1999/xlink">'],
    [true, '<article><front><article-meta/></front></article>'],
    [true, '<OAI-PMH><metadata><article><front></front></article></metadata></OAI-PMH>'],
    [false, '<article><title>A manual</title></article>'],
    [false, '<OAI-PMH><metadata><dc/></metadata></OAI-PMH>'],
    [false, '<dblp><article key="a"/></dblp>'],
  ])('recognizes() returns %s for %s', (expected, content) => {
    expect(recognizes(jatsFormat, content)).toBe(expected);
  });

  it('rejects a file that declares its own entities', async () => {
    const content = '<!DOCTYPE article [<!ENTITY a "b">]><article><front/></article>';
    await expect(entriesOf(jatsFormat, content)).rejects.toThrow('declares entities of its own');
  });

  it('loses only the record with an unknown character', async () => {
    const article = (title: string): string =>
      `<article><front><article-meta><title-group><article-title>${title}</article-title></title-group></article-meta></front></article>`;
    const entries = await entriesOf(
      jatsFormat,
      `<pmc-articleset>${article('&nosuch; a')}${article('&alpha; and &lt;')}</pmc-articleset>`,
    );
    expect(entries).toMatchObject([
      { reason: 'malformed', problem: expect.stringContaining('undefined entity') },
      { document: { title: 'α and <' } },
    ]);
  });

  it('prefers the main name to its alternatives in other scripts', async () => {
    const meta = `<article-meta><title-group><article-title>Mud</article-title></title-group><contrib-group>
      <contrib contrib-type="author"><name><surname>Berg</surname><given-names>Anna</given-names></name>
        <name-alternatives><string-name name-style="eastern" xml:lang="zh">山安娜</string-name></name-alternatives></contrib>
      <contrib contrib-type="author"><name-alternatives><string-name>Bo Dahl</string-name></name-alternatives></contrib>
    </contrib-group></article-meta>`;
    const content = `<article article-type="research-article"><front>${meta}</front></article>`;
    expect(await entriesOf(jatsFormat, content)).toMatchObject([
      { document: { authors: ['Anna Berg', 'Bo Dahl'] } },
    ]);
  });

  it('lists a group by its name, or by its members if it has none', async () => {
    const person = (given: string, family: string): string =>
      `<contrib><name><surname>${family}</surname><given-names>${given}</given-names></name></contrib>`;
    const members = `<contrib-group>${person('Anna', 'Berg')}${person('Bo', 'Dahl')}</contrib-group>`;
    const groups = [
      `The Tide Group:<role>Writers</role><email>tides@shore.example</email>${members}`,
      `<named-content content-type="name">Sea Group</named-content><xref>1</xref>${members}`,
      `<institution>Bay Group</institution> <name><surname>Ek</surname></name>`,
      `\n${members}`,
      `<name><surname>Fox</surname><given-names>Cy</given-names></name>, <string-name>Di Gil</string-name>`,
      '',
    ];
    const contributors = groups.map(
      (group) => `<contrib contrib-type="author"><collab>${group}</collab></contrib>`,
    );
    const meta = `<article-meta><title-group><article-title>Mud</article-title></title-group><contrib-group>${contributors.join('')}</contrib-group></article-meta>`;
    const content = `<article article-type="research-article"><front>${meta}</front></article>`;
    expect(await entriesOf(jatsFormat, content)).toMatchObject([
      {
        document: {
          authors: [
            ...['The Tide Group', 'Sea Group', 'Bay Group'],
            ...['Anna Berg', 'Bo Dahl', 'Cy Fox', 'Di Gil'],
          ],
        },
      },
    ]);
  });

  it('keeps formulas that exist only as TeX', async () => {
    const tex = (text: string): string =>
      `<inline-formula><alternatives><tex-math><![CDATA[${text}]]></tex-math><inline-graphic/></alternatives></inline-formula>`;
    const meta = `<article-meta><title-group><article-title>The last ${tex('$5$')} Myr</article-title></title-group>
      <abstract><p>From ${tex('$\\sim 3$')} to the present day, ${tex('$<1$')} Myr.</p></abstract></article-meta>`;
    const content = `<article article-type="research-article"><front>${meta}</front></article>`;
    expect(await entriesOf(jatsFormat, content)).toMatchObject([
      {
        document: {
          title: 'The last $5$ Myr',
          abstract: 'From $\\sim 3$ to the present day, $<1$ Myr.',
        },
      },
    ]);
  });

  it('reads the private characters of astronomy journals', async () => {
    const meta = `<article-meta><title-group><article-title>Rings</article-title></title-group>
      <abstract><p>It was seen at 16&fdg;5 S, 2&farcm;5 and 0&farcs;25 wide, near &rgr; and &THgr;.</p></abstract></article-meta>`;
    const content = `<article article-type="research-article"><front>${meta}</front></article>`;
    expect(await entriesOf(jatsFormat, content)).toMatchObject([
      { document: { abstract: 'It was seen at 16°.5 S, 2′.5 and 0″.25 wide, near ρ and Θ.' } },
    ]);
  });
});
