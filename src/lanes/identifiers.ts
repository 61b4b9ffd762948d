/** DOIs and arXiv ids in the forms in which they are compared. Pure. */

const RESOLVER = /^(?:https?:\/\/(?:dx\.|www\.)?doi\.org\/|doi:\s*)/i;
const DOI = /^10\.\d[\d.]*\/[^\s"<>]+$/;
/** Also the ids before April 2007, `hep-ex/0307015`. */
const ARXIV_ID = /^(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,3})?$/i;
/** arXiv's own DOIs, which few know: the id behind them is the key. */
const ARXIV_DOI = /^10\.48550\/arxiv\.(.+)$/i;

/** In lower case, without a resolver; undefined for what is no DOI, or is one of arXiv's own. */
export function doiOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const doi = text.trim().replace(RESOLVER, '').toLowerCase();
  return DOI.test(doi) && !ARXIV_DOI.test(doi) ? doi : undefined;
}

/** Without `arXiv:`, version, address or DOI around it; undefined for what is no arXiv id. */
export function arxivIdOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const bare = text
    .trim()
    .replace(RESOLVER, '')
    .replace(/^https?:\/\/(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\//i, '')
    .replace(/\.pdf$|[?#].*$/i, '')
    .replace(/^arxiv:\s*/i, '')
    .replace(ARXIV_DOI, '$1');
  return ARXIV_ID.exec(bare)?.[1]?.toLowerCase();
}
