import { describe, expect, it } from 'vitest';
import { formatNamed, formats, recognizeFormat } from '../../src/ingest/formats.ts';
import { jsonLines } from './index-files.ts';
import { sourceOf } from './read-format.ts';

const OURS = { id: 'a', title: 'Tides' };
const OPENALEX = { id: 'https://openalex.org/W1', doi: '10.5555/a', title: 'Tides' };
const ARXIV = { id: '2401.00001', title: 'Tides', abstract: 'It rose.', authors_parsed: [] };
const CSL = { id: 'a', type: 'book', title: 'Tides', issued: {} };
const S2 = { corpusid: 1, externalids: {} };
const BEIR = { _id: '1', title: 'Tides', text: 'The sea rises.' };

describe('recognizeFormat', () => {
  it.each([
    ['our documents', jsonLines([OURS]), 'verbatim'],
    ['a DOI and an abstract', jsonLines([{ doi: '10.5555/a', abstract: 'It rose.' }]), 'verbatim'],
    ['a BEIR corpus', jsonLines([BEIR]), 'beir'],
    ['a BEIR corpus with other fields', jsonLines([{ ...BEIR, id: 'a', abstract: '' }]), 'beir'],
    ['bad lines in front', `rubbish\n[]\n\n${jsonLines([OURS])}`, 'verbatim'],
    ['a line too long in front', `${'a'.repeat(2000)}\n${jsonLines([BEIR])}`, 'beir'],
    ['no line end', JSON.stringify(OURS), 'verbatim'],
    ['one JSON array', JSON.stringify([OURS]), 'verbatim'],
    ['a byte order mark', `\ufeff${jsonLines([OURS])}`, 'verbatim'],
    ['a table', 'id,title\na,Tides\n', 'csv'],
    ['a table with a column too many', 'merge_date,id,merge_into_id\n', 'openalex-merged'],
    ['a work of OpenAlex that ours takes too', jsonLines([OPENALEX]), 'openalex'],
    ['a paper of arXiv that ours takes too', jsonLines([ARXIV]), 'arxiv'],
    ['an item of CSL-JSON that ours takes too', jsonLines([CSL]), 'csl-json'],
    ['a work of Crossref', jsonLines([{ DOI: '10.5555/a', title: ['Tides'] }]), 'crossref'],
    ['a paper of Semantic Scholar', jsonLines([{ ...S2, title: 'Tides' }]), 's2-papers'],
    [
      'an abstract of Semantic Scholar',
      jsonLines([{ ...S2, abstract: 'It rose.' }]),
      's2-abstracts',
    ],
    ['a full text of Semantic Scholar', jsonLines([{ ...S2, title: 'Tides', body: {} }]), 's2orc'],
  ])('knows %s', async (_, content, name) => {
    expect((await recognizeFormat(sourceOf(content))).name).toBe(name);
  });

  it.each([
    ['an empty file', '', 'it is empty'],
    ['only blank lines', '\n \n\r\n', 'it is empty'],
    ['prose', 'The sea rises.\nAnd falls.\n', 'no format recognizes it'],
    ['records without an id', jsonLines([{ title: 'Tides' }]), 'no format recognizes'],
    ['records without a text', jsonLines([{ id: 'a', name: 'Tides' }]), 'no format recognizes'],
    ['a comma-separated table without names', 'a,Tides\nb,Shores\n', 'no format recognizes'],
    ['binary data', 'a\0b\0', 'it is not text in UTF-8'],
  ])('refuses %s', async (_, content, reason) => {
    await expect(recognizeFormat(sourceOf(content))).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining(`cannot index file: ${reason}`),
    });
  });

  it('reads only the head of a file', async () => {
    let lines = 0;
    async function* chunks(): AsyncGenerator<Buffer> {
      for (;;) {
        lines++;
        yield Buffer.from('rubbish\n');
      }
    }
    const endless = { ...sourceOf(''), chunks };
    await expect(recognizeFormat(endless)).rejects.toThrow('no format recognizes');
    expect(lines).toBeLessThan(10_000);
  });

  it('recognizes a file that breaks off within its head', async () => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(jsonLines([BEIR]));
      throw new Error('it broke');
    }
    const broken = { ...sourceOf(''), chunks };
    expect((await recognizeFormat(broken)).name).toBe('beir');
  });

  it('reports a file that breaks off before its format is known', async () => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"tit');
      throw new Error('it broke');
    }
    await expect(recognizeFormat({ ...sourceOf(''), chunks })).rejects.toThrow('it broke');
  });
});

describe('formatNamed', () => {
  it('finds each format by its name', () => {
    for (const format of formats) expect(formatNamed(format.name)).toBe(format);
  });

  it('lists the known formats for an unknown name', () => {
    const known = formats.map(({ name }) => name).join(', ');
    const message = `there is no format "xls"; known are ${known}`;
    expect(() => formatNamed('xls')).toThrow(message);
  });
});
