/** What a paper cites or who cites it: a count that opens to the newest papers. */
import { paperAddress } from '../../identity/paper-address.ts';
import type { CitationList, CitationListName } from '../../search/papers/citation-lists.ts';
import { Badge } from './badge.tsx';
import { formatCount } from './format-values.ts';
import { TexText } from './tex-text.tsx';

const titles: Readonly<Record<CitationListName, string>> = {
  references: 'Cites',
  cited_by: 'Cited by',
};

export interface CitedPapersProps {
  name: CitationListName;
  list: CitationList;
  /** The place of the result in the list, from 1. */
  place: number;
}

/** Nothing without a paper. */
export function CitedPapers({ name, list: { count, papers = [] }, place }: CitedPapersProps) {
  if (count === 0) return null;
  const left = count - papers.length;
  return (
    <details>
      <summary>
        {titles[name]} {formatCount(count)}
        <span class="hidden">, result {place}</span>
      </summary>
      <ul dir="auto">
        {papers.map((paper, at) => (
          <li key={at}>
            <Entry paper={paper} />
          </li>
        ))}
      </ul>
      {left === 0 ? null : (
        <p class="small soft">
          And {formatCount(left)} more: <code>include={name}</code> of{' '}
          <a href="/docs#papers">/v1/paper</a> lists all.
        </p>
      )}
    </details>
  );
}

function Entry({ paper }: { paper: NonNullable<CitationList['papers']>[number] }) {
  if ('text' in paper) return <>{paper.text}</>;
  const url = paperAddress(paper.d);
  const title = 't' in paper ? <TexText text={paper.t} /> : <span class="mono">{paper.d}</span>;
  const rest = 't' in paper ? [...paper.a, ...(paper.y === 0 ? [] : [paper.y])] : [];
  return (
    <>
      {url === undefined ? (
        title
      ) : (
        <a href={url} rel="noreferrer">
          {title}
        </a>
      )}
      {rest.length === 0 ? null : <bdi>, {rest.join(', ')}</bdi>}
      {'t' in paper && paper.retraction !== undefined ? (
        <>
          {' '}
          <Badge>{paper.retraction.kind}</Badge>
        </>
      ) : null}
    </>
  );
}
