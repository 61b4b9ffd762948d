/** A search result: the sentence, its paper and source, and its place in the abstract. */
import type { Citation, Provenance } from '../../types.ts';

const sources: Readonly<Record<Provenance, string>> = {
  corpus: 'the index',
  arxiv: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
  web: 'the web',
};

export interface CitedSentenceProps {
  citation: Citation;
  /** Whether the abstract is open. */
  isOpen: boolean;
}

export function CitedSentence({ citation, isOpen }: CitedSentenceProps) {
  const { q, t, y, a, s, d, src, ab = '' } = citation;
  const marked = highlight(ab, q);
  return (
    <>
      <blockquote>{q}</blockquote>
      <p class="source">
        <cite>{t}</cite>
        {[a.join(', '), y === 0 ? '' : String(y)]
          .filter((part) => part !== '')
          .map((part) => `, ${part}`)
          .join('')}
        . <Identifier id={d} />, score {s.toFixed(3)}, from{' '}
        <span class={src === 'corpus' ? undefined : 'badge'}>{sources[src]}</span>
      </p>
      {marked === undefined ? null : (
        <details open={isOpen}>
          <summary>Show the sentence in its abstract</summary>
          <p class="abstract">
            {marked.before}
            <mark>{marked.quote}</mark>
            {marked.after}
          </p>
        </details>
      )}
    </>
  );
}

function Identifier({ id }: { id: string }) {
  const address = paperAddress(id);
  if (address === undefined) return <span class="mono">{id}</span>;
  return (
    <a class="mono" href={address} rel="noreferrer">
      {id}
    </a>
  );
}

export interface Highlighted {
  before: string;
  quote: string;
  after: string;
}

/**
 * Splits the abstract at the sentence; undefined if it does not contain the sentence, because the
 * title was quoted.
 */
export function highlight(abstract: string, quote: string): Highlighted | undefined {
  const start = quote === '' ? -1 : abstract.indexOf(quote);
  if (start < 0) return undefined;
  return {
    before: abstract.slice(0, start),
    quote,
    after: abstract.slice(start + quote.length),
  };
}

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
