/** The last 24 hours as charts, and as a table. Times are in UTC. */
import type { Settings } from '../../../settings/config.ts';
import { formatBytes } from '../../../text/format-bytes.ts';
import { BarChart, type BarChartProps } from '../../components/bar-chart.tsx';
import { DataTable } from '../../components/data-table.tsx';
import {
  formatCount,
  formatCounted,
  formatDay,
  formatMilliseconds,
  formatTimestamp,
} from '../../components/format-values.ts';
import type { Slot, SlotNumbers } from '../page/slots.ts';

interface ChartOf extends Pick<BarChartProps, 'id' | 'title' | 'description' | 'unit' | 'legend'> {
  value?: (numbers: SlotNumbers) => number;
  /** Parts on top, in other colors. */
  warn?: (numbers: SlotNumbers) => number;
  bad?: (numbers: SlotNumbers) => number;
  label: (numbers: SlotNumbers) => string;
  limitOf?: (settings: Settings) => NonNullable<BarChartProps['limit']>;
}

const MEGABYTE = 1_000_000;

const charts: readonly ChartOf[] = [
  {
    id: 'searches-chart',
    title: 'Searches',
    description: 'Searches with results, in spans of 15 minutes.',
    unit: 'searches',
    value: ({ searches }) => searches,
    label: ({ searches }) => formatCounted(searches, 'search', 'searches'),
  },
  {
    id: 'latency-chart',
    title: 'Latency, p95',
    description: 'The 95th percentile of the searches of each span, from the validated request.',
    unit: 'ms',
    value: ({ p95Ms = 0 }) => p95Ms,
    label: ({ p50Ms, p95Ms }) =>
      p50Ms === undefined || p95Ms === undefined
        ? 'no search'
        : `p95 ${formatMilliseconds(p95Ms)}, p50 ${formatMilliseconds(p50Ms)}`,
  },
  {
    id: 'errors-chart',
    title: 'Responses with errors',
    description: 'Refused requests, with a status of 400 to 499, and above them failures of ours.',
    unit: 'responses',
    legend: [
      { part: 'warn', label: 'refused' },
      { part: 'bad', label: 'failed' },
    ],
    warn: ({ refused }) => refused,
    bad: ({ failed }) => failed,
    label: ({ refused, failed }) =>
      `${formatCount(failed)} failed, ${formatCount(refused)} refused`,
  },
  {
    id: 'queue-chart',
    title: 'Longest queue',
    description: 'The most that waited in all queues at the end of a minute.',
    unit: 'tasks',
    value: ({ waiting }) => waiting,
    label: ({ waiting, searchesInFlight }) =>
      `${formatCount(waiting)} waiting, ${formatCounted(searchesInFlight, 'search', 'searches')} in flight`,
  },
  {
    id: 'memory-chart',
    title: 'Memory',
    description:
      'The most memory of the process, including pages of the database that it has mapped.',
    unit: 'MB',
    value: ({ memoryBytes }) => memoryBytes / MEGABYTE,
    label: ({ memoryBytes }) => formatBytes(memoryBytes),
  },
  {
    id: 'wal-chart',
    title: 'Write-ahead log',
    description: 'The largest size of the write-ahead log beside the database.',
    unit: 'MB',
    value: ({ walBytes }) => walBytes / MEGABYTE,
    label: ({ walBytes, databaseBytes }) =>
      `WAL ${formatBytes(walBytes)}, database ${formatBytes(databaseBytes)}`,
    limitOf: ({ walBytesMax }) => ({
      value: walBytesMax / MEGABYTE,
      label: `limit ${formatBytes(walBytesMax)}`,
    }),
  },
];

export interface DayInChartsProps {
  slots: readonly Slot[];
  settings: Settings;
}

export function DayInCharts({ slots, settings }: DayInChartsProps) {
  return (
    <section class="stack" aria-labelledby="day">
      <div class="head">
        <div>
          <h2 id="day">Last 24 hours</h2>
          <p>
            From {timeOf(slots[0]?.startsAt ?? 0)} to {timeOf(slots.at(-1)?.startsAt ?? 0)} UTC, in
            spans of 15 minutes. A gap means that the server was not running.
          </p>
        </div>
      </div>
      <div class="split">
        {charts.map((chart) => (
          <section key={chart.id} class="card" aria-labelledby={`${chart.id}-head`}>
            <h3 id={`${chart.id}-head`}>{chart.title}</h3>
            <SlotChart chart={chart} slots={slots} settings={settings} />
          </section>
        ))}
      </div>
      <details>
        <summary>Show as a table</summary>
        <div class="card">
          <SlotTable slots={slots} />
        </div>
      </details>
    </section>
  );
}

function SlotChart({ chart, slots, settings }: DayInChartsProps & { chart: ChartOf }) {
  const { title, value, warn, bad, label, limitOf, ...props } = chart;
  const limit = limitOf?.(settings);
  return (
    <BarChart
      {...props}
      title={`${title}, last 24 hours`}
      {...(limit === undefined ? {} : { limit })}
      formatValue={formatCount}
      bars={slots.map(({ startsAt, numbers }) => ({
        name: formatTimestamp(startsAt),
        axisName: timeOf(startsAt).slice(-5),
        value: numbers === undefined ? 0 : (value?.(numbers) ?? 0),
        warn: numbers && warn?.(numbers),
        bad: numbers && bad?.(numbers),
        label: numbers === undefined ? 'not running' : label(numbers),
      }))}
    />
  );
}

function SlotTable({ slots }: { slots: readonly Slot[] }) {
  const known = slots.filter(({ numbers }) => numbers !== undefined).reverse();
  return (
    <DataTable
      caption="Spans in which the server ran, newest first"
      columns={[
        { head: 'From (UTC)' },
        ...['Searches', 'p50', 'p95', 'Refused', 'Failed', 'Waiting', 'Memory', 'WAL'].map(
          (head) => ({ head, isNumber: true }),
        ),
      ]}
      rows={known.map(({ startsAt, numbers }) => [
        formatTimestamp(startsAt),
        ...(numbers === undefined ? [] : cellsOf(numbers)),
      ])}
    />
  );
}

function cellsOf(numbers: SlotNumbers): string[] {
  const { searches, p50Ms, p95Ms, refused, failed, waiting, memoryBytes, walBytes } = numbers;
  const latency = (value: number | undefined): string =>
    value === undefined ? '–' : formatMilliseconds(value);
  return [
    ...[formatCount(searches), latency(p50Ms), latency(p95Ms)],
    ...[formatCount(refused), formatCount(failed), formatCount(waiting)],
    ...[formatBytes(memoryBytes), formatBytes(walBytes)],
  ];
}

/** Returns the day without its year, and the time of day: `Mar 14, 14:15`. */
function timeOf(time: number): string {
  const day = formatDay(time).replace(/, \d{4}$/, '');
  return `${day}, ${new Date(time).toISOString().slice(11, 16)}`;
}
