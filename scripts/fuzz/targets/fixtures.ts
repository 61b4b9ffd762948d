/** The hand-written files of every format, which the tests of formats read too. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundlePath } from '../../../src/bundle.ts';
import type { Family } from '../mutate.ts';

export interface Fixture {
  file: string;
  /** The name for `--format`. */
  format: string;
  family: Family;
  text: string;
  /** Whether each line is a record, so that damage to one leaves the next intact. */
  hasLines: boolean;
}

/** From dist/, which holds the program that runs. */
const FOLDER = join(dirname(bundlePath()), '../test/ingest/formats');

const files: readonly [file: string, format: string, family: Family, hasLines?: true][] = [
  ['acl.xml', 'acl', 'xml'],
  ['arxiv-atom.xml', 'arxiv-atom', 'xml'],
  ['arxiv-oai.xml', 'arxiv-oai', 'xml'],
  ['arxiv.jsonl', 'arxiv', 'json', true],
  ['bibtex.bib', 'bibtex', 'lines'],
  ['crossref-items.json', 'crossref', 'json'],
  ['crossref.jsonl', 'crossref', 'json', true],
  ['csl.json', 'csl-json', 'json'],
  ['datacite.jsonl', 'datacite', 'json', true],
  ['dblp.xml', 'dblp', 'xml'],
  ['doaj.json', 'doaj', 'json'],
  ['endnote.xml', 'endnote-xml', 'xml'],
  ['europepmc.json', 'europepmc', 'json'],
  ['europepmc.xml', 'europepmc', 'xml'],
  ['jats.xml', 'jats', 'xml'],
  ['nbib.nbib', 'nbib', 'lines'],
  ['oai-dc.xml', 'oai-dc', 'xml'],
  ['openalex.jsonl', 'openalex', 'json', true],
  ['pubmed.xml', 'pubmed', 'xml'],
  ['ris.ris', 'ris', 'lines'],
  ['s2-abstracts.jsonl', 's2-abstracts', 'json', true],
  ['s2-api.json', 's2-api', 'json'],
  ['s2-papers.jsonl', 's2-papers', 'json', true],
  ['s2orc-metadata.jsonl', 's2orc-metadata', 'json', true],
  ['s2orc.jsonl', 's2orc', 'json', true],
  ['table.csv', 'csv', 'table'],
  ['table.tsv', 'csv', 'table'],
  ['wos.txt', 'wos', 'lines'],
];

/** Written here, because their tests have no files. */
const written: readonly Fixture[] = [
  {
    file: 'beir.jsonl',
    format: 'beir',
    family: 'json',
    text: '{"_id":"1","title":"Tides","text":"It rose. It fell.","metadata":{"year":2001,"authors":["A. Berg"]}}\n',
    hasLines: true,
  },
  {
    file: 'verbatim.jsonl',
    format: 'verbatim',
    family: 'json',
    text:
      '{"id":"a","title":"Tides","abstract":"It rose. It fell.","year":2001,"authors":["A. Berg"],' +
      '"venue":"Sea","identifiers":{"pmid":"1"},"withheld":"retracted","updated":"2024-05-01"}\n',
    hasLines: true,
  },
];

/** Reads all fixtures. */
export function readFixtures(): Fixture[] {
  const read = files.map(([file, format, family, hasLines = false]) => ({
    file,
    format,
    family,
    hasLines,
    text: readFileSync(join(FOLDER, file), 'utf8'),
  }));
  return [...read, ...written];
}
