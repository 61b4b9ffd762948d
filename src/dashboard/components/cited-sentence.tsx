/** A result of a search: the sentence, its paper, where it came from, and where it stands. */
import type { Citation, Provenance } from '../../types.ts';
import { highlight } from './highlight.ts';
import { paperAddress } from './paper-address.ts';

const sources: Readonly<Record<Provenance, string>> = {
  corpus: 'the index',
  arxiv: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
  web: 'the web',
};

export interface CitedSentenceProps {
  citation: Citation;
  /** Whether the abstract is unfolded. */
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
          <summary>The sentence in its abstract</summary>
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
