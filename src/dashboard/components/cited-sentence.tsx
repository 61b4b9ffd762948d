/** A search result: the sentence, its paper and source, and its place in the abstract. */
import { paperAddress } from '../../identity/paper-address.ts';
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
