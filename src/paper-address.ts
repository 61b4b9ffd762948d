/** Where readers find a paper: the address that belongs to an id. Pure. */

/** Returns the address of a DOI, an arXiv id or a web page; undefined for other ids and schemes. */
export function paperAddress(id: string): string | undefined {
  if (/^10\.\d{4,9}\/\S+$/.test(id)) return addressAt('https://doi.org', id);
  const [, arxivId] = /^arXiv:([\w.-]+(?:\/\d+)?)$/.exec(id) ?? [];
  if (arxivId !== undefined) return addressAt('https://arxiv.org', `abs/${arxivId}`);
  if (!/^https?:\/\//.test(id) || !URL.canParse(id)) return undefined;
  return new URL(id).href;
}

/** Builds an address. `?` and `#` are part of the id, so they are encoded. */
function addressAt(host: string, path: string): string {
  const url = new URL(host);
  url.pathname = path.replaceAll('%', '%25');
  return url.href;
}
