/** The last 24 hours as charts, and as a table. Times are in UTC. */
import { formatBytes } from '../../../text/format-bytes.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { DataTable } from '../../components/data-table.tsx';
import {
  formatCount,
  formatCounted,
  formatMilliseconds,
  formatTimestamp,
} from '../../components/format-values.ts';
import type { Slot, SlotNumbers } from '../page/slots.ts';

interface ChartOf {
  id: string;
  title: string;
  description: string;
  value: (numbers: SlotNumbers) => number;
  /** A part on top, in another color. */
  bad?: (numbers: SlotNumbers) => number;
  label: (numbers: SlotNumbers) => string;
  formatValue: (value: number) => string;
}

const MEGABYTE = 1_000_000;

const charts: readonly ChartOf[] = [
  {
    id: 'searches-chart',
    title: 'Searches',
    description: 'Searches with results, in spans of 15 minutes.',
    value: ({ searches }) => searches,
    label: ({ searches }) => formatCounted(searches, 'search', 'searches'),
    formatValue: formatCount,
  },
  {
    id: 'latency-chart',
    title: 'Latency, p95 in milliseconds',
    description: 'The 95th percentile of the searches of each span, from the validated request.',
    value: ({ p95Ms = 0 }) => p95Ms,
    label: ({ p50Ms, p95Ms }) =>
      p50Ms === undefined || p95Ms === undefined
        ? 'no search'
        : `p95 ${formatMilliseconds(p95Ms)}, p50 ${formatMilliseconds(p50Ms)}`,
    formatValue: formatCount,
  },
  {
    id: 'errors-chart',
    title: 'Responses with errors',
    description: 'Refused requests, with a status of 400 to 499, and above them failures of ours.',
    value: ({ refused }) => refused,
    bad: ({ failed }) => failed,
    label: ({ refused, failed }) =>
      `${formatCount(failed)} failed, ${formatCount(refused)} refused`,
    formatValue: formatCount,
  },
  {
    id: 'queue-chart',
    title: 'Longest queue',
    description: 'The most that waited in all queues at the end of a minute.',
    value: ({ waiting }) => waiting,
    label: ({ waiting, searchesInFlight }) =>
      `${formatCount(waiting)} waiting, ${formatCounted(searchesInFlight, 'search', 'searches')} in flight`,
    formatValue: formatCount,
  },
  {
    id: 'memory-chart',
    title: 'Memory in megabytes',
    description:
      'The most memory of the process, including pages of the database that it has mapped.',
    value: ({ memoryBytes }) => memoryBytes / MEGABYTE,
    label: ({ memoryBytes }) => formatBytes(memoryBytes),
    formatValue: formatCount,
  },
  {
    id: 'wal-chart',
    title: 'Write-ahead log in megabytes',
    description: 'The largest size of the write-ahead log beside the database.',
    value: ({ walBytes }) => walBytes / MEGABYTE,
    label: ({ walBytes, databaseBytes }) =>
      `WAL ${formatBytes(walBytes)}, database ${formatBytes(databaseBytes)}`,
    formatValue: formatCount,
  },
];

export function DayInCharts({ slots }: { slots: readonly Slot[] }) {
  return (
    <section class="stack" aria-labelledby="day">
      <div class="head">
        <div>
          <h2 id="day">Last 24 hours</h2>
          <p>In spans of 15 minutes, in UTC. A gap means that the server was not running.</p>
        </div>
      </div>
      <div class="split">
        {charts.map((chart) => (
          <section key={chart.id} class="card" aria-labelledby={`${chart.id}-head`}>
            <h3 id={`${chart.id}-head`}>{chart.title}</h3>
            <SlotChart chart={chart} slots={slots} />
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

function SlotChart({ chart, slots }: { chart: ChartOf; slots: readonly Slot[] }) {
  const { id, title, description, value, bad, label, formatValue } = chart;
  return (
    <BarChart
      id={id}
      title={`${title}, last 24 hours`}
      description={description}
      formatValue={formatValue}
      bars={slots.map(({ startsAt, numbers }) => ({
        name: formatTimestamp(startsAt),
        axisName: timeOf(startsAt),
        value: numbers === undefined ? 0 : value(numbers),
        bad: numbers === undefined ? 0 : bad?.(numbers),
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

/** Returns the time of day: `14:15`. */
function timeOf(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}
