/** What people call the public sources; see src/identity/source-names.ts. */
const titles: Readonly<Record<string, string>> = {
  openalex: 'OpenAlex',
  arxiv: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
  s2orc: 'S2ORC',
  doi: 'Crossref and DataCite',
  pubmed: 'PubMed',
  pmc: 'PubMed Central',
  acl: 'ACL Anthology',
  europepmc: 'Europe PMC',
  oai_dc: 'OAI repositories',
  dblp: 'DBLP',
  doaj: 'DOAJ',
  eric: 'ERIC',
};

export function sourceTitle(name: string): string {
  return titles[name] ?? name;
}
