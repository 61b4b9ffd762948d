/** What is indexed, for visitors. */
import type { IndexSummary } from '../../index/facets/index-summary.ts';
import { Card } from './card.tsx';
import { formatCount, formatDay, formatYears } from './format-values.ts';
import { FieldTable, SourceTable, YearChart } from './index-totals.tsx';
import { Tile } from './tile.tsx';

export function IndexFacts({ summary }: { summary: IndexSummary }) {
  const { documents, sentences, years, updatedAt } = summary;
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
      <div class="split">
        <Card id="years" title="Papers by year">
          <YearChart summary={summary} />
        </Card>
        <Card id="fields" title="Papers by field and source">
          <FieldTable summary={summary} />
          {summary.sources.length === 0 ? null : <SourceTable summary={summary} />}
        </Card>
      </div>
    </section>
  );
}
