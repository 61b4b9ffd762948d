/** What is in the index, by source, language, field of study, and year. */
import type { IndexSummary } from '../../index/facets/index-summary.ts';
import { BarChart } from './bar-chart.tsx';
import { DataTable } from './data-table.tsx';
import { formatCount, formatCounted } from './format-values.ts';
import { languageName } from './language-name.ts';
import { sourceTitle } from './source-titles.ts';

/** The years that the chart has room for. */
const YEARS_SHOWN = 40;
/** The rows of languages and of fields before that of the others. */
const ROWS_SHOWN_MAX = 12;

export function SourceTable({ summary: { sources, documents } }: { summary: IndexSummary }) {
  if (sources.length === 0) return <p class="soft">No record names a public source.</p>;
  return (
    <ShareTable
      caption="Papers by source; a paper may have several"
      head="Source"
      totals={sources.map(({ name, documents: count }) => [sourceTitle(name), count])}
      documents={documents}
    />
  );
}

export function LanguageTable({ summary: { languages, documents } }: { summary: IndexSummary }) {
  if (languages.every(({ language }) => language === null)) {
    return <p class="soft">No record names a language.</p>;
  }
  return (
    <ShareTable
      caption="Papers by language, as their records name it"
      head="Language"
      totals={inTable(
        languages.map(({ language, documents: count }) => [
          language === null ? null : languageName(language),
          count,
        ]),
      )}
      documents={documents}
    />
  );
}

export function FieldTable({ summary: { fields, documents } }: { summary: IndexSummary }) {
  if (fields.every(({ field }) => field === null)) {
    return <p class="soft">No record names a field of study.</p>;
  }
  return (
    <ShareTable
      caption="Papers by field of study, as their records name it"
      head="Field"
      totals={inTable(fields.map(({ field, documents: count }) => [field, count]))}
      documents={documents}
    />
  );
}

/** The most frequent values, then one row for the others, and one for papers without a value. */
function inTable(
  totals: readonly (readonly [value: string | null, documents: number])[],
): [name: string, documents: number][] {
  const known = totals.flatMap(([value, count]): [string, number][] =>
    value === null ? [] : [[value, count]],
  );
  const unknown = totals.find(([value]) => value === null);
  const others = known.splice(known.length > ROWS_SHOWN_MAX + 1 ? ROWS_SHOWN_MAX : known.length);
  const sum = others.reduce((total, [, count]) => total + count, 0);
  if (others.length > 0) known.push([`${formatCount(others.length)} others`, sum]);
  if (unknown !== undefined) known.push(['Not known', unknown[1]]);
  return known;
}

interface ShareTableProps {
  caption: string;
  head: string;
  totals: readonly (readonly [name: string, documents: number])[];
  /** All papers. */
  documents: number;
}

function ShareTable({ caption, head, totals, documents }: ShareTableProps) {
  return (
    <DataTable
      caption={caption}
      isCompact
      columns={[{ head }, { head: 'Papers', isNumber: true }, { head: 'Share', isNumber: true }]}
      rows={totals.map(([name, count]) => [
        name,
        formatCount(count),
        `${((100 * count) / Math.max(1, documents)).toFixed(1)}%`,
      ])}
    />
  );
}

export function YearChart({ summary: { yearCounts, years } }: { summary: IndexSummary }) {
  if (years === undefined) return <p class="soft">No paper has a year.</p>;
  const countOf = new Map(yearCounts.map(({ year, documents }) => [year, documents]));
  const first = Math.max(years.from, years.to - YEARS_SHOWN + 1);
  const unknown = countOf.get(0) ?? 0;
  return (
    <>
      <BarChart
        id="years-chart"
        title={`Papers by year, ${first} to ${years.to}`}
        description="By the year of the paper."
        unit="papers"
        formatValue={formatCount}
        bars={Array.from({ length: years.to - first + 1 }, (_, index) => {
          const year = first + index;
          const documents = countOf.get(year) ?? 0;
          return {
            name: String(year),
            axisName: String(year),
            value: documents,
            label: formatCounted(documents, 'paper'),
          };
        })}
      />
      {unknown === 0 ? null : (
        <p class="soft small">{formatCounted(unknown, 'paper')} without a year.</p>
      )}
      <details>
        <summary>Show as a table</summary>
        <DataTable
          caption="All years, latest first"
          isCompact
          columns={[{ head: 'Year' }, { head: 'Papers', isNumber: true }]}
          rows={yearCounts.map(({ year, documents }) => [
            year === 0 ? 'unknown' : String(year),
            formatCount(documents),
          ])}
        />
      </details>
    </>
  );
}
