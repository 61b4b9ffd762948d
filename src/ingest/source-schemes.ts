/**
 * The identifier by which each source names its papers. A later record of the same paper replaces
 * the earlier one, whichever of the source's formats it comes in.
 */
import { personalSource, type Source } from '../identity/kept-record.ts';
import type { Format } from './read/packed-format.ts';

/**
 * By format. '': the ids are global within the format. 'personal': a table or a personal
 * bibliography, whose ids are local to their file.
 */
const sourceOfFormat: Readonly<Record<string, Source | 'personal'>> = {
  openalex: 'openalex',
  'openalex-merged': 'openalex',
  arxiv: 'arxiv',
  'arxiv-oai': 'arxiv',
  'arxiv-atom': 'arxiv',
  's2-papers': 's2',
  's2-abstracts': 's2',
  's2-api': 's2',
  s2orc: 's2orc',
  's2orc-metadata': 's2',
  crossref: 'doi',
  'crossref-xml': 'doi',
  datacite: 'doi',
  'datacite-xml': 'doi',
  doaj: 'doaj',
  dblp: 'dblp',
  pubmed: 'pmid',
  nbib: 'pmid',
  jats: 'pmcid',
  acl: 'acl',
  eric: 'eric',
  europepmc: 'europepmc',
  'oai-dc': 'oai-dc',
  'retraction-watch': 'retraction-watch',
  opencitations: 'opencitations',
  verbatim: '',
  beir: '',
  'csl-json': 'personal',
  'zotero-json': 'personal',
  'zotero-rdf': 'personal',
  bibtex: 'personal',
  ris: 'personal',
  cff: 'personal',
  mods: 'personal',
  refer: 'personal',
  refworks: 'personal',
  ovid: 'personal',
  wos: 'personal',
  'endnote-xml': 'personal',
  csv: 'personal',
};

/** The source of a file with this name and format. Throws if the format is missing above. */
export function sourceOf({ name }: Pick<Format, 'name'>, fileName: string): Source {
  const source = sourceOfFormat[name];
  if (source === undefined) throw new Error(`the format ${name} has no line in source-schemes.ts`);
  return source === 'personal' ? personalSource(fileName) : source;
}
