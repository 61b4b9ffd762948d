/** GET /operator: what the server does now, and the last 24 hours as charts. */

import type { StoredBuild } from '../../../index/records/builds.ts';
import type { LaneNumbers, Latency, ServiceNumbers } from '../../../metrics/service-numbers.ts';
import { formatBytes } from '../../../text/format-bytes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatCount, formatCounted, formatMilliseconds } from '../../components/format-values.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Tile } from '../../components/tile.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { View } from '../../page/page.ts';
import { DayInCharts } from '../components/day-in-charts.tsx';
import { Failures } from '../components/failures.tsx';
import { Live } from '../components/live.tsx';
import { VerdictNotice } from '../components/verdict-notice.tsx';
import { type BuildFigures, isRunning } from '../page/build-figures.ts';
import { formatRate, formatSpan } from '../page/format-rate.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { slotsOf } from '../page/slots.ts';
import { recentFailures } from './requests.tsx';

/** So that a page that hears nothing knows within 10 seconds: assets/operator.js. */
const RENEWED_EVERY_SECONDS = 5;
const BUILDS_SEEN = 3;
const FAILURES_SEEN = 8;

export async function nowPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const { history, alerts, index, settings, now } = deps;
  const numbers = await history.numbers();
  const [conditions, failures, builds] = await Promise.all([
    alerts.conditions(numbers),
    // What is damaged must not hide what is said of it.
    recentFailures(deps, call, FAILURES_SEEN).catch(() => []),
    index.builds(BUILDS_SEEN).catch(() => []),
  ]);
  return {
    title: 'Now',
    main: (
      <>
        <PageHead title="Now">
          Verbatim {numbers.version}, up {formatSpan(numbers.uptimeSeconds)}. Rates and latencies
          cover the last {formatSpan(numbers.intervalSeconds)}.
        </PageHead>
        <Live everySeconds={RENEWED_EVERY_SECONDS}>
          <VerdictNotice conditions={conditions} />
          <RunningBuild build={builds.find(isRunning)} />
          <Figures numbers={numbers} />
          {failures.length === 0 ? null : (
            <section class="card" aria-labelledby="failures">
              <h2 id="failures">Failures</h2>
              <Failures failures={failures} />
              <p>
                <a href="/operator/requests">All failures</a>
              </p>
            </section>
          )}
          <div class="split">
            <Stages numbers={numbers} />
            <Waiting numbers={numbers} />
          </div>
          <Storage numbers={numbers} />
          <Lanes lanes={numbers.lanes} />
        </Live>
        <DayInCharts slots={slotsOf(history.samples(), now())} settings={settings} />
      </>
    ),
  };
}

/** A build that runs, on the command line or as an update. */
function RunningBuild({ build }: { build: StoredBuild<BuildFigures> | undefined }) {
  if (build === undefined) return null;
  return (
    <Notice tone="plain">
      <p>
        A build of the index is running, as process {build.report.process?.id}, since{' '}
        <Timestamp time={build.startedAt} />. <a href="/operator/index">Index</a>
      </p>
    </Notice>
  );
}

function Figures({ numbers }: { numbers: ServiceNumbers }) {
  const { searchMs, responsesPerSecond, searchesInFlight, searchesInFlightMax } = numbers;
  const { queues, memoryBytes, cores, diskFreeBytes, databaseBytes, walBytes } = numbers;
  const waiting = Object.values(queues).reduce((sum, length) => sum + length, 0);
  return (
    <dl class="tiles in-threes">
      <Tile
        label="Searches a second"
        value={formatRate(numbers.searchesPerSecond)}
        note={`${formatCount(searchesInFlight)} of ${formatCount(searchesInFlightMax)} in flight`}
        isFirst
      />
      <Tile
        label="Latency, p95"
        value={formatLatency(searchMs.p95)}
        note={`p50 ${formatLatency(searchMs.p50)}`}
      />
      <Tile
        label="Errors a second"
        value={formatRate(responsesPerSecond['5xx'] ?? 0)}
        note={`${formatRate(responsesPerSecond['4xx'] ?? 0)} refused`}
      />
      <Tile label="Waiting" value={formatCount(waiting)} note="in all queues" />
      <Tile
        label="Memory"
        value={formatBytes(memoryBytes)}
        note={`${cores.toFixed(2)} cores busy`}
      />
      <Tile
        label="Disk free"
        value={formatSize(diskFreeBytes)}
        note={`database ${formatSize(databaseBytes)}, WAL ${formatSize(walBytes)}`}
      />
    </dl>
  );
}

function Stages({ numbers: { stagesMs, notReranked } }: { numbers: ServiceNumbers }) {
  const unranked = describeCounts(notReranked);
  return (
    <section class="card" aria-labelledby="stages">
      <h2 id="stages">Latency by stage</h2>
      <DataTable
        caption={
          unranked === undefined
            ? 'Time of searches with results'
            : `Time of searches with results. Not reranked: ${unranked}.`
        }
        isCompact
        columns={[
          { head: 'Stage' },
          { head: 'p50', isNumber: true },
          { head: 'p95', isNumber: true },
        ]}
        rows={Object.entries(stagesMs).map(([stage, { p50, p95 }]: [string, Latency]) => [
          stage,
          formatLatency(p50),
          formatLatency(p95),
        ])}
      />
    </section>
  );
}

function Waiting({ numbers }: { numbers: ServiceNumbers }) {
  const { queues, threads, threadTasks, threadsDied } = numbers;
  return (
    <section class="card" aria-labelledby="queues">
      <h2 id="queues">Queues and threads</h2>
      <DataTable
        caption="Waiting tasks"
        isCompact
        columns={[{ head: 'Queue' }, { head: 'Waiting', isNumber: true }]}
        rows={Object.entries(queues).map(([queue, length]) => [queue, formatCount(length)])}
      />
      <DataTable
        caption={
          threadsDied === 0
            ? 'Threads'
            : `Threads. ${formatCount(threadsDied)} died and were replaced.`
        }
        isCompact
        columns={[
          { head: 'Role' },
          { head: 'Threads', isNumber: true },
          { head: 'Tasks', isNumber: true },
        ]}
        rows={Object.entries(threads).map(([role, count]) => [
          role,
          formatCount(count),
          formatCount(threadTasks[role] ?? 0),
        ])}
      />
    </section>
  );
}

const stateTones: Readonly<Record<string, string>> = {
  ok: 'good',
  degraded: 'warn',
  exhausted: 'warn',
  open: 'bad',
};

function Lanes({ lanes }: { lanes: readonly LaneNumbers[] }) {
  return (
    <section class="card" aria-labelledby="lanes">
      <h2 id="lanes">Lanes</h2>
      {lanes.length === 0 ? (
        <p class="soft">No lane is on.</p>
      ) : (
        <DataTable
          caption="Questions in this interval, by outcome"
          columns={[{ head: 'Provider' }, { head: 'State' }, { head: 'Questions' }]}
          rows={lanes.map(({ lane, provider, state, questions }) => [
            lane === provider ? lane : `${lane}: ${provider}`,
            <span key="state" class={`badge ${stateTones[state] ?? ''}`}>
              {state}
            </span>,
            describeCounts(questions) ?? 'none',
          ])}
        />
      )}
    </section>
  );
}

/** Counts by name; undefined if all are 0. */
function describeCounts(counts: Readonly<Record<string, number>>): string | undefined {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return undefined;
  return some.map(([outcome, count]) => `${formatCount(count)} ${outcome}`).join(', ');
}

function Storage({ numbers }: { numbers: ServiceNumbers }) {
  const { lastBuildAt, fileCheckedAt, fileCheckDamagedParts = 0 } = numbers;
  const facts: [name: string, value: string][] = [
    ['Database', formatSize(numbers.databaseBytes)],
    ['Write-ahead log (WAL)', formatSize(numbers.walBytes)],
    ['Free on its disk', formatSize(numbers.diskFreeBytes)],
    ['Documents', formatCount(numbers.documents ?? 0)],
    ['Sentences', formatCount(numbers.sentences ?? 0)],
    ['Open holds', formatCount(numbers.holdsOpen)],
  ];
  return (
    <section class="card" aria-labelledby="storage">
      <h2 id="storage">Storage</h2>
      <dl class="facts side-by-side">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Last build</dt>
          <dd>{lastBuildAt === undefined ? 'never' : <Timestamp time={lastBuildAt} />}</dd>
        </div>
        <div>
          <dt>Last check of the file</dt>
          <dd>
            {fileCheckedAt === undefined ? (
              'none since the start'
            ) : (
              <>
                <Timestamp time={fileCheckedAt} />:{' '}
                {fileCheckDamagedParts === 0
                  ? 'no damage'
                  : formatCounted(fileCheckDamagedParts, 'damaged part')}
              </>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function formatLatency(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : formatMilliseconds(milliseconds);
}

function formatSize(bytes: number | undefined): string {
  return bytes === undefined ? 'unknown' : formatBytes(bytes);
}
