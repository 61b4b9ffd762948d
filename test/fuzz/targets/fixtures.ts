/** The hand-written files of every format, which the tests of formats read too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const FOLDER = join(import.meta.dirname, '../../ingest/formats');

/** Files by the family of their format. A format is named unless its file is called like it. */
const files: Record<Family, string> = {
  xml: `acl.xml arxiv-atom.xml arxiv-oai.xml crossref.xml:crossref-xml datacite.xml:datacite-xml dblp.xml endnote.xml:endnote-xml europepmc.xml jats.xml
    mods.xml oai-dc.xml pubmed.xml zotero.rdf:zotero-rdf`,
  json: `arxiv.jsonl crossref-items.json:crossref crossref.jsonl csl.json:csl-json datacite.jsonl doaj.json
    europepmc.json openalex.jsonl s2-abstracts.jsonl s2-api.json s2-papers.jsonl s2orc-metadata.jsonl
    s2orc.jsonl zotero.json:zotero-json`,
  lines:
    'bibtex.bib citation.cff:cff eric.nbib nbib.nbib ovid.txt refer.enw refworks.txt ris.ris wos.txt',
  table: 'table.csv:csv table.tsv:csv opencitations.csv',
};

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
  const read = Object.entries(files).flatMap(([family, list]) =>
    list.split(/\s+/).map((named): Fixture => {
      const [file = '', format = file.replace(/\.\w+$/, '')] = named.split(':');
      const text = readFileSync(join(FOLDER, file), 'utf8');
      return { file, format, family: family as Family, hasLines: file.endsWith('.jsonl'), text };
    }),
  );
  return [...read, ...written];
}
