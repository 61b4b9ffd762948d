/** What is indexed, in a few figures. */
import type { IndexSummary } from '../../index/facets/index-summary.ts';
import { formatSome } from './format-some.ts';
import { formatCount, formatCounted, formatDay, formatYears } from './format-values.ts';
import { sourceTitle } from './source-titles.ts';
import { Tile } from './tile.tsx';

/** The sources that are named; the others are rare. */
const SOURCES_SHOWN_MAX = 6;
/** The fields that are named; the others are counted. */
const FIELDS_SHOWN_MAX = 5;

export function IndexFacts({ summary }: { summary: IndexSummary }) {
  const { documents, sentences, years, sources, updatedAt } = summary;
  const fields = summary.fields.flatMap(({ field }) => field ?? []);
  if (documents === 0) return <p class="soft">Nothing is indexed yet.</p>;
  return (
    <section class="stack" aria-labelledby="indexed">
      <h2 id="indexed">What is indexed</h2>
      <dl class="tiles">
        <Tile label="Papers" value={formatCount(documents)} />
        <Tile label="Sentences" value={formatCount(sentences)} />
        {years === undefined ? null : <Tile label="Years" value={formatYears(years)} />}
        {updatedAt === undefined ? null : (
          <Tile label="Last updated" value={formatDay(updatedAt)} />
        )}
      </dl>
      {fields.length === 0 ? null : (
        <p class="soft">
          {fields.length === 1 ? 'Field of study: ' : 'Fields of study: '}
          {formatSome(fields, FIELDS_SHOWN_MAX)}.
        </p>
      )}
      {sources.length === 0 ? null : (
        <p class="soft">
          {sources.length > SOURCES_SHOWN_MAX ? 'Most papers are from: ' : 'Papers are from: '}
          {sources
            .slice(0, SOURCES_SHOWN_MAX)
            .map(
              ({ name, documents: count }) =>
                `${sourceTitle(name)} (${formatCounted(count, 'paper')})`,
            )
            .join(', ')}
          .
        </p>
      )}
    </section>
  );
}
