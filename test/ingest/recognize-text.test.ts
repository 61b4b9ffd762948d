import { expect, it } from 'vitest';
import { formats, recognizeFormat } from '../../src/ingest/formats.ts';
import { headOf } from '../../src/ingest/read/head.ts';
import { fixture, sourceOf } from './read-format.ts';

const FIXTURES = [
  ['pubmed.xml', 'pubmed'],
  ['arxiv-oai.xml', 'arxiv-oai'],
  ['acl.xml', 'acl'],
  ['mods.xml', 'mods'],
  ['crossref.xml', 'crossref-xml'],
  ['datacite.xml', 'datacite-xml'],
  ['bibtex.bib', 'bibtex'],
  ['ris.ris', 'ris'],
  ['nbib.nbib', 'nbib'],
  ['citation.cff', 'cff'],
  ['eric.nbib', 'eric'],
  ['ovid.txt', 'ovid'],
  ['refer.enw', 'refer'],
  ['refworks.txt', 'refworks'],
  ['wos.txt', 'wos'],
] as const;

it.each(FIXTURES)(
  '%s is recognized as %s, and by no other format except tables',
  async (file, name) => {
    const content = fixture(file);
    expect((await recognizeFormat(sourceOf(content))).name).toBe(name);
    const names = formats
      .filter((format) => format.recognizes(headOf(Buffer.from(content), true)))
      .map((format) => format.name);
    expect(names.filter((other) => other !== 'csv')).toEqual([name]);
  },
);
