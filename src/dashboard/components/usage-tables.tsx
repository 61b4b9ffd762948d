/** Figures of usage: in total, by day, and by key. */
import type { StatusUsage, UsageFigures } from '../../accounts/usage.ts';
import { type LaneName, laneNames } from '../../settings/lane-choice.ts';
import { DataTable } from './data-table.tsx';
import { dayLabel } from './day-chart.tsx';
import { formatChange, formatCount, formatMilliseconds } from './format-values.ts';
import { Status } from './request-table.tsx';
import { Tile } from './tile.tsx';

const laneLabels: Readonly<Record<LaneName, string>> = {
  arxiv: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
  web: 'web',
};

const columns = [
  { head: 'Searches', isNumber: true },
  { head: 'Failed', isNumber: true },
  { head: 'p50', isNumber: true },
  { head: 'p95', isNumber: true },
  { head: 'Lanes' },
  { head: 'Credits', isNumber: true },
];

export function UsageTiles({ total }: { total: UsageFigures }) {
  const { requests, failed, credits, p50Ms, p95Ms } = total;
  return (
    <dl class="tiles">
      <Tile label="Searches" value={formatCount(requests)} note={`${formatCount(failed)} failed`} />
      <Tile label="Credits" value={formatCount(credits)} note="net of refunds" />
      <Tile
        label="Latency, p50"
        value={latencyText(p50Ms)}
        note={p95Ms === undefined ? 'nothing measured yet' : `p95 ${latencyText(p95Ms)}`}
      />
      <Tile
        label="Used fallback lanes"
        value={shareText(total.measured - (total.lanes.corpus ?? 0), total.measured)}
        note={lanesText(total) === '–' ? 'all from the index' : lanesText(total)}
      />
    </dl>
  );
}

export function UsageByDay({ days }: { days: readonly (UsageFigures & { day: string })[] }) {
  return (
    <DataTable
      caption={`Usage per day, ${days.length} days, newest first`}
      columns={[{ head: 'Day' }, ...columns]}
      rows={days.toReversed().map((figures) => [dayLabel(figures.day), ...cellsOf(figures)])}
    />
  );
}

export interface UsageByStatusProps {
  statuses: readonly StatusUsage[];
  /** The length of the range, and of the one before it. */
  days: number;
}

export function UsageByStatus({ statuses, days }: UsageByStatusProps) {
  if (statuses.length === 0) return <p class="soft">No requests on these days.</p>;
  return (
    <DataTable
      caption="Requests by status on these days, and before"
      isCaptionHidden
      columns={[
        { head: 'Status' },
        { head: 'Requests', isNumber: true },
        { head: `${days} days before`, isNumber: true },
        { head: 'Change', isNumber: true },
      ]}
      rows={statuses.map(({ status, code, calls, callsBefore }) => [
        <Status key="status" status={status} code={code === '' ? null : code} />,
        formatCount(calls),
        formatCount(callsBefore),
        calls === callsBefore ? '0' : formatChange(calls - callsBefore),
      ])}
    />
  );
}

export interface UsageByKeyProps {
  figures: ReadonlyMap<string, UsageFigures>;
  keys: readonly { id: number; name: string; prefix: string }[];
}

/** Keys without usage in the range are left out. */
export function UsageByKey({ figures, keys }: UsageByKeyProps) {
  const used = keys.flatMap(({ id, name, prefix }) => {
    const own = figures.get(String(id));
    return own === undefined ? [] : [{ name, prefix, own }];
  });
  if (used.length === 0) return <p class="soft">No key was used on these days.</p>;
  return (
    <DataTable
      caption="Usage by key on these days"
      isCaptionHidden
      columns={[{ head: 'Key' }, ...columns]}
      rows={used.map(({ name, prefix, own }) => [
        <span key="name" class="key-name">
          <bdi>{name}</bdi> <code>{prefix}</code>
        </span>,
        ...cellsOf(own),
      ])}
    />
  );
}

function cellsOf(figures: UsageFigures): string[] {
  return [
    formatCount(figures.requests),
    formatCount(figures.failed),
    latencyText(figures.p50Ms),
    latencyText(figures.p95Ms),
    lanesText(figures),
    formatCount(figures.credits),
  ];
}

function latencyText(value: number | undefined): string {
  return value === undefined ? '–' : formatMilliseconds(value);
}

/** Returns the share of the searches to which each lane contributed. */
function lanesText({ lanes, measured }: UsageFigures): string {
  const parts = laneNames.flatMap((lane) => {
    const calls = lanes[lane] ?? 0;
    return calls === 0 ? [] : [`${laneLabels[lane]} ${shareText(calls, measured)}`];
  });
  return parts.length === 0 ? '–' : parts.join(', ');
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${Math.round((100 * part) / whole)}%`;
}
