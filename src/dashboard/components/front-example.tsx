/** A question with the sentence that answers it, as the front page shows it. */
import { paperAddress } from '../../identity/paper-address.ts';
import type { Example } from '../page/index-figures.ts';

export function FrontExample({ example }: { example: Example }) {
  const { question, citation, isFromIndex } = example;
  const { d, t, y, a, q } = citation;
  const address = paperAddress(d);
  const title = <cite>{t}</cite>;
  return (
    <figure class="card example" aria-label="Example">
      <p class="question">
        <span class="small soft">Question</span>
        {question}
      </p>
      <blockquote>
        <mark>{q}</mark>
      </blockquote>
      <figcaption class="small soft">
        {address === undefined ? (
          title
        ) : (
          <a href={address} rel="noreferrer">
            {title}
          </a>
        )}
        {[...a, ...(y === 0 ? [] : [y])].map((part) => `, ${part}`).join('')}.{' '}
        {isFromIndex
          ? 'Quoted from this index.'
          : 'Quoted from the sample that comes with Verbatim, not from this index.'}
      </figcaption>
    </figure>
  );
}
