/** Requests in a table, and the totals of a filter. */
import type { ListedRequest, RequestTotal } from '../../accounts/sql/request-pages.ts';
import { DataTable } from './data-table.tsx';
import { formatCount, formatMilliseconds } from './format-values.ts';
import { Tile } from './tile.tsx';
import { Timestamp } from './timestamp.tsx';

export interface RequestTableProps {
  requests: readonly ListedRequest[];
  caption: string;
  /** Returns the address of the page of one request. */
  linkOf: (requestId: string) => string;
}

export function RequestTable({ requests, caption, linkOf }: RequestTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { head: 'Time' },
        { head: 'Status' },
        { head: 'Path' },
        { head: 'Key' },
        { head: 'Latency', isNumber: true },
        { head: 'Credits', isNumber: true },
        { head: 'Lanes' },
        { head: 'Request id' },
      ]}
      rows={requests.map((request) => [
        <a key="time" href={linkOf(request.requestId)}>
          <Timestamp time={request.createdAt} hasSeconds />
        </a>,
        <Status key="status" status={request.status} code={request.code} />,
        <code key="path">{request.path}</code>,
        <span key="key" title={request.keyPrefix}>
          {request.keyName}
        </span>,
        formatMilliseconds(request.milliseconds),
        formatCount(request.credits),
        request.lanes?.replaceAll(',', ', ') ?? '–',
        <span key="id" class="mono id">
          {request.requestId}
        </span>,
      ])}
    />
  );
}

/** A status of HTTP with the code of the error. */
export function Status({ status, code }: { status: number; code: string | null }) {
  const tone = code === null ? 'good' : status >= 500 || status === 0 ? 'bad' : 'warn';
  return (
    <span class={`badge ${tone}`}>
      {status === 0 ? 'not recorded' : status}
      {code === null || code === '' ? '' : ` ${code}`}
    </span>
  );
}

/** Says how many requests were answered, and how many failed with which errors. */
export function RequestTotals({ totals }: { totals: readonly RequestTotal[] }) {
  const sumOf = (some: readonly RequestTotal[]): number =>
    some.reduce((sum, { calls }) => sum + calls, 0);
  const failed = totals.filter(({ code }) => code !== '');
  const codes = new Map<string, number>();
  for (const { status, code, calls } of failed) {
    const name = `${status} ${code}`;
    codes.set(name, (codes.get(name) ?? 0) + calls);
  }
  const most = [...codes].sort(([, a], [, b]) => b - a).slice(0, MOST_SHOWN);
  const described = most.map(([name, calls]) => `${formatCount(calls)} × ${name}`);
  return (
    <dl class="tiles" aria-label="Totals of this filter">
      <Tile label="Requests" value={formatCount(sumOf(totals))} note="with those only counted" />
      <Tile
        label="Answered"
        value={formatCount(sumOf(totals) - sumOf(failed))}
        note="with or without results"
      />
      <Tile
        label="Failed"
        value={formatCount(sumOf(failed))}
        note={described.join(', ') || 'none'}
      />
    </dl>
  );
}

const MOST_SHOWN = 3;
