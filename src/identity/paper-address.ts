/** The web address of a paper, from its id. Pure. */
import type { DocumentId } from '../types.ts';

/** The ids that have an address, by their pattern: the host, and the start of the path. */
const addresses: readonly (readonly [id: RegExp, host: string, path: string])[] = [
  [/^(10\.\d{4,9}\/\S+)$/, 'https://doi.org', ''],
  [/^arXiv:([\w.-]+(?:\/\d+)?)$/, 'https://arxiv.org', 'abs/'],
  [/^PMID:(\d+)$/, 'https://pubmed.ncbi.nlm.nih.gov', ''],
  [/^(PMC\d+)$/, 'https://pmc.ncbi.nlm.nih.gov', 'articles/'],
  [/^ACL:([\w.-]+)$/, 'https://aclanthology.org', ''],
  [/^(W\d+)$/, 'https://openalex.org', ''],
  [/^CorpusId:(\d+)$/, 'https://api.semanticscholar.org', 'CorpusID:'],
];

/**
 * Returns the address of an id of a known scheme, or of a web page; undefined for other ids and
 * for other schemes of addresses, such as `javascript:`.
 */
export function paperAddress(id: DocumentId): string | undefined {
  for (const [pattern, host, path] of addresses) {
    const own = pattern.exec(id)?.[1];
    if (own !== undefined) return addressAt(host, path + own);
  }
  if (!/^https?:\/\//.test(id) || !URL.canParse(id)) return undefined;
  return new URL(id).href;
}

/** Builds an address. `?` and `#` are part of the id, so they are encoded. */
function addressAt(host: string, path: string): string {
  const url = new URL(host);
  url.pathname = path.replaceAll('%', '%25');
  return url.href;
}
