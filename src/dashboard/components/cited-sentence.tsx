/** A search result: the sentence, its paper and source, its abstract, and ready citations. */
import { type ComponentChildren, Fragment } from 'preact';
import { type CitationLists, citationListNames } from '../../search/papers/citation-lists.ts';
import { writeCitation } from '../../search/papers/cited-paper.ts';
import type { Citation, Provenance } from '../../types.ts';
import { Badge } from './badge.tsx';
import { CitedPapers } from './cited-papers.tsx';
import { Snippet } from './snippet.tsx';
import { TexText } from './tex-text.tsx';

const sources: Readonly<Record<Exclude<Provenance, 'corpus'>, string>> = {
  arxiv: 'from arXiv',
  semantic_scholar: 'from Semantic Scholar',
  web: 'from the web',
};

/** More are “et al.”, and behind a click. */
const AUTHORS_SHOWN = 3;

export interface CitedSentenceProps {
  citation: Citation;
  /** The place in the list, from 1. */
  place: number;
  /** What the paper cites and who cites it, as far as that is known. */
  lists?: CitationLists | undefined;
}

export function CitedSentence({ citation, place, lists = {} }: CitedSentenceProps) {
  const { q, t, y, a, s, d, src, venue = '', url, answers = 0, authors = a } = citation;
  const likelihood = likelihoodOf(answers);
  const title = (
    <cite dir="auto">
      <TexText text={t} />
    </cite>
  );
  const others = authors.length > AUTHORS_SHOWN ? 'et al.' : '';
  return (
    <>
      <blockquote dir="auto">
        <TexText text={q} />
      </blockquote>
      <p class="source">
        {url === undefined ? title : <PaperLink url={url}>{title}</PaperLink>}
        {[...authors.slice(0, AUTHORS_SHOWN), others, venue, y === 0 ? '' : String(y)]
          .filter((part) => part !== '')
          .map((part) => (
            <Fragment key={part}>
              , <bdi>{part}</bdi>
            </Fragment>
          ))}
        . <span class="mono">{d}</span>, score
        <meter class="score" aria-hidden="true" min={0} max={1} value={s} /> {s.toFixed(2)}
        {likelihood === undefined ? null : <Badge>{likelihood}</Badge>}
        {src === 'corpus' ? null : <Badge>{sources[src]}</Badge>}
      </p>
      <div class="more">
        <InAbstract citation={citation} />
        {others === '' ? null : (
          <details>
            <summary>All {authors.length} authors</summary>
            <p dir="auto">{authors.join(', ')}</p>
          </details>
        )}
        {citationListNames.map((name) => {
          const list = lists[name];
          return list && <CitedPapers key={name} name={name} list={list} place={place} />;
        })}
        <Cite citation={citation} place={place} />
      </div>
    </>
  );
}

/** Says how likely a quote answers. Below, nothing is said: questions of other kinds may fare better. */
function likelihoodOf(probability: number): string | undefined {
  if (probability >= 0.8) return 'very likely answers';
  if (probability >= 0.5) return 'probably answers';
  return probability >= 0.25 ? 'may answer' : undefined;
}

function PaperLink({ url, children }: { url: string; children: ComponentChildren }) {
  return (
    <a href={url} rel="noreferrer">
      {children}
    </a>
  );
}

function InAbstract({ citation: { ab = '', q } }: { citation: Citation }) {
  const marked = highlight(ab, q);
  if (marked === undefined) return null;
  return (
    <details>
      <summary>In its abstract</summary>
      <p class="abstract" dir="auto">
        {marked.before}
        <mark>{marked.quote}</mark>
        {marked.after}
      </p>
    </details>
  );
}

function Cite({ citation, place }: CitedSentenceProps) {
  const { bibtex, ris, csl } = writeCitation(citation);
  const formats = [
    { name: 'citation', label: 'Citation', code: citation.citation ?? '' },
    { name: 'bibtex', label: 'BibTeX', code: bibtex },
    { name: 'ris', label: 'RIS', code: ris },
    { name: 'csl', label: 'CSL-JSON', code: csl },
  ];
  return (
    <details class="cite">
      <summary>
        Cite<span class="hidden"> result {place}</span>
      </summary>
      <div class="formats">
        {formats
          .filter(({ code }) => code !== '')
          .map(({ name, label, code }) => (
            <Snippet key={name} id={`cite-${place}-${name}`} label={label} code={code} isWrapped />
          ))}
      </div>
    </details>
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
