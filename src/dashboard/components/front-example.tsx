/** A question with the sentence that answers it, as the front page shows it. */
import { Fragment } from 'preact';
import { paperAddress } from '../../identity/paper-address.ts';
import type { Example } from '../page/index-figures.ts';
import { TexText } from './tex-text.tsx';

export function FrontExample({ example }: { example: Example }) {
  const { question, citation, isFromIndex } = example;
  const { d, t, y, a, q } = citation;
  const address = paperAddress(d);
  const title = (
    <cite dir="auto">
      <TexText text={t} />
    </cite>
  );
  return (
    <figure class="card example" aria-label="Example">
      <p class="question">
        <span class="small soft">Question</span>
        {question}
      </p>
      <blockquote>
        <mark>
          <TexText text={q} />
        </mark>
      </blockquote>
      <figcaption class="small soft">
        {address === undefined ? (
          title
        ) : (
          <a href={address} rel="noreferrer">
            {title}
          </a>
        )}
        {[...a, ...(y === 0 ? [] : [y])].map((part) => (
          <Fragment key={part}>
            , <bdi>{part}</bdi>
          </Fragment>
        ))}
        .{' '}
        {isFromIndex
          ? 'Quoted from this index.'
          : 'Quoted from the sample that comes with Verbatim, not from this index.'}
      </figcaption>
    </figure>
  );
}
