/** What is in the index, and the reports of the last builds. */
import type { IndexSummary } from '../../../index/facets/index-summary.ts';
import type { StoredBuild } from '../../../index/records/builds.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatCount, formatYears } from '../../components/format-values.ts';
import { Tile } from '../../components/tile.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { type BuildFigures, isRunning } from '../page/build-figures.ts';
import { formatSpan } from '../page/format-rate.ts';

export function IndexFigures({ summary, now }: { summary: IndexSummary; now: number }) {
  const { documents, sentences, years, updatedAt } = summary;
  return (
    <dl class="tiles">
      <Tile label="Papers" value={formatCount(documents)} isFirst />
      <Tile label="Sentences" value={formatCount(sentences)} />
      <Tile label="Years" value={years === undefined ? '–' : formatYears(years)} />
      <Tile
        label="Last build"
        value={updatedAt === undefined ? 'never' : formatSpan(Math.max(0, now - updatedAt) / 1_000)}
        {...(updatedAt === undefined ? {} : { note: 'ago' })}
      />
    </dl>
  );
}

export function BuildTable({ builds }: { builds: readonly StoredBuild<BuildFigures>[] }) {
  return (
    <DataTable
      caption="Builds, latest first"
      columns={[
        { head: 'Started' },
        { head: 'Outcome' },
        ...['Added', 'Updated', 'Skipped'].map((head) => ({ head, isNumber: true })),
        { head: 'Files' },
      ]}
      rows={builds.map(({ startedAt, outcome, report }) => [
        <Timestamp key="at" time={startedAt} />,
        outcome ?? (isRunning({ outcome, report }) ? 'running' : 'did not end'),
        ...[report.added, report.updated, report.skipped].map((count = 0) => formatCount(count)),
        describeFiles(report.files ?? []),
      ])}
    />
  );
}

function describeFiles(files: readonly string[]): string {
  const [first = '–', ...others] = files.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return others.length === 0 ? first : `${first} and ${formatCount(others.length)} more`;
}
