/** The numbers of a service as lines of text, for a terminal of 80 columns. */

import type { Latency, ServiceNumbers } from '../../metrics/service-numbers.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { formatTime } from '../cli/output.ts';

const NAME_WIDTH = 11;
const LATENCY_WIDTH = 11;
/** `2026-11-22`. */
const DATE_LENGTH = 10;

/** Returns the lines. `interval` says what rates and latencies are of: `last 10 s`. */
export function describeNumbers(numbers: ServiceNumbers, interval: string): string[] {
  const { version, isReady, uptimeSeconds } = numbers;
  const state = isReady ? 'ready' : 'NOT READY';
  return [
    `Verbatim ${version}, ${state}, up ${formatUptime(uptimeSeconds)}; rates: ${interval}`,
    '',
    ...searchLines(numbers),
    '',
    ...stageLines(numbers),
    ...rerankLines(numbers),
    '',
    ...partLines(numbers),
    ...laneLines(numbers),
  ];
}

function searchLines(numbers: ServiceNumbers): string[] {
  const { searchMs, searchesInFlight, searchesInFlightMax, responsesPerSecond } = numbers;
  const responses = Object.entries(responsesPerSecond).map(
    ([group, rate]) => `${group} ${formatRate(rate)}`,
  );
  return [
    line('searches', [
      formatRate(numbers.searchesPerSecond),
      `p50 ${formatMs(searchMs.p50)}`,
      `p95 ${formatMs(searchMs.p95)}`,
      `in flight ${searchesInFlight} of ${searchesInFlightMax}`,
    ]),
    line('responses', [...responses, `unsent ${formatRate(numbers.unsentPerSecond)}`]),
  ];
}

/** Two stages in a line, so that everything fits into 24 lines. */
function stageLines({ stagesMs }: ServiceNumbers): string[] {
  const stages = Object.entries(stagesMs);
  const half = Math.ceil(stages.length / 2);
  const heads = describeStage('stage', ['p50', 'p95']);
  const rows = stages.slice(0, half).map(([stage, latency], row) => {
    const [other, otherLatency] = stages[half + row] ?? [];
    const left = describeStage(stage, texts(latency));
    return other === undefined || otherLatency === undefined
      ? left
      : `${left}    ${describeStage(other, texts(otherLatency))}`;
  });
  return [`${heads}    ${heads}`, ...rows];
}

/** Nothing unless the reranker was to order searches and did not. */
function rerankLines({ notReranked }: ServiceNumbers): string[] {
  const some = Object.entries(notReranked).filter(([, count]) => count > 0);
  if (some.length === 0) return [];
  const counts = some.map(([reason, count]) => `${reason} ${formatNumber(count)}`);
  return [line('reranker', [`not used: ${counts.join(', ')}`])];
}

function texts({ p50, p95 }: Latency): string[] {
  return [formatMs(p50), formatMs(p95)];
}

function describeStage(name: string, latencies: readonly string[]): string {
  return name.padEnd(NAME_WIDTH) + latencies.map((text) => text.padStart(LATENCY_WIDTH)).join('');
}

function partLines(numbers: ServiceNumbers): string[] {
  const { threads, threadTasks, threadsDied, queues, eventLoopDelayMs, lastBuildAt } = numbers;
  const died = threadsDied === 0 ? [] : [`${threadsDied} died`];
  return [
    line('threads', [
      ...Object.entries(threads).map(
        ([role, n]) => `${role} ${n} (${threadTasks[role] ?? 0} busy)`,
      ),
      ...died,
    ]),
    line(
      'queues',
      Object.entries(queues).map(([queue, length]) => `${queue} ${length}`),
    ),
    line('ledger', [
      numbers.isLedgerWritable ? 'writable' : 'NOT WRITABLE',
      `holds open ${numbers.holdsOpen}`,
      `charged ${formatRate(numbers.creditsChargedPerSecond)}`,
      `returned ${formatRate(numbers.creditsReturnedPerSecond)}`,
    ]),
    ...(numbers.damagedParts.length === 0 ? [] : [line('DAMAGED', numbers.damagedParts)]),
    line('process', [
      `${numbers.cores.toFixed(2)} cores`,
      `memory ${formatBytes(numbers.memoryBytes)}`,
      `loop delay p95 ${formatMs(eventLoopDelayMs.p95)}`,
      ...(numbers.openFiles === undefined ? [] : [`files ${numbers.openFiles}`]),
    ]),
    line('database', [
      size(numbers.databaseBytes),
      `WAL ${size(numbers.walBytes)}`,
      `disk free ${size(numbers.diskFreeBytes)}`,
    ]),
    line('index', [
      `${formatNumber(numbers.documents ?? 0)} documents`,
      `${formatNumber(numbers.sentences ?? 0)} sentences`,
      ...(lastBuildAt === undefined
        ? []
        : [`built ${formatTime(lastBuildAt).slice(0, DATE_LENGTH)}`]),
    ]),
  ];
}

function laneLines({ lanes }: ServiceNumbers): string[] {
  return lanes.map(({ lane, provider, state, questions }) => {
    const name = lane === provider ? lane : `${lane}: ${provider}`;
    const counts = Object.entries(questions).map(([outcome, n]) => `${outcome} ${n}`);
    return line('lane', [name, state, ...counts]);
  });
}

function line(name: string, parts: readonly string[]): string {
  return `${name.padEnd(NAME_WIDTH)}${parts.join('  ')}`;
}

function size(bytes: number | undefined): string {
  return bytes === undefined ? 'unknown' : formatBytes(bytes);
}

function formatRate(perSecond: number): string {
  return `${perSecond < 100 ? perSecond.toFixed(1) : formatNumber(Math.round(perSecond))}/s`;
}

/** A dash for a latency that nothing had. */
function formatMs(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '-';
  return `${milliseconds < 100 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}

/** The two largest units: `3 d 4 h`. */
function formatUptime(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const at = units.findIndex(([, size]) => seconds >= size);
  const [name, length] = units[at] ?? ['s', 1];
  const [nextName, nextLength] = units[at + 1] ?? ['s', 0];
  const whole = `${Math.floor(seconds / length)} ${name}`;
  if (nextLength === 0) return whole;
  return `${whole} ${Math.floor((seconds % length) / nextLength)} ${nextName}`;
}
