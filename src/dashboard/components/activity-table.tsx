/** Lines of activity, and the totals of all lines of a filter. */
import { activityLabel, outcomeLabels } from '../../accounts/activity-labels.ts';
import type { ActivityLine, ActivityTotal, CallOutcome } from '../../accounts/sql/activity-rows.ts';
import { DataTable } from './data-table.tsx';
import { formatChange, formatCount, formatCounted, formatDay } from './format-values.ts';
import { Tile } from './tile.tsx';
import { Timestamp } from './timestamp.tsx';

const tones: Readonly<Record<CallOutcome, string>> = {
  charged: '',
  free: 'good',
  refunded: 'good',
  open: 'warn',
};

export function ActivityTable({ lines }: { lines: readonly ActivityLine[] }) {
  return (
    <DataTable
      caption={captionOf(lines)}
      columns={[
        { head: 'Time' },
        { head: 'What' },
        { head: 'Outcome' },
        { head: 'Credits', isNumber: true },
        { head: 'Key' },
        { head: 'Reference' },
      ]}
      rows={lines.map((line) => [
        <Timestamp key="when" time={line.createdAt} />,
        activityLabel(line),
        <Outcome key="outcome" line={line} />,
        formatChange(line.credits),
        keyCell(line),
        <Reference key="reference" line={line} />,
      ])}
    />
  );
}

/** Names the key of a line, with its prefix for the pointer. */
export function keyCell({ keyName, keyPrefix }: Pick<ActivityLine, 'keyName' | 'keyPrefix'>) {
  return keyName === null ? '–' : <span title={keyPrefix ?? undefined}>{keyName}</span>;
}

/** Names the days of a page. */
function captionOf(lines: readonly ActivityLine[]): string {
  const [newest, oldest] = [lines[0], lines.at(-1)];
  if (newest === undefined || oldest === undefined) return 'Lines, newest first';
  const [last, first] = [formatDay(newest.createdAt), formatDay(oldest.createdAt)];
  const days = first === last ? last : `${first} to ${last}`;
  return `${formatCounted(lines.length, 'line')} of ${days}, newest first`;
}

function Outcome({ line: { outcome } }: { line: ActivityLine }) {
  if (outcome === 'payment') return <>–</>;
  return <span class={`badge ${tones[outcome]}`}>{outcomeLabels[outcome]}</span>;
}

/** What a line is about, by the ids that others know it by, and the note of its author. */
export function Reference({
  line: { requestId, reference, note },
}: {
  line: Pick<ActivityLine, 'requestId' | 'reference' | 'note'>;
}) {
  return (
    <>
      {requestId === null ? null : <span class="mono id">{requestId}</span>}
      {reference === null ? null : <span class="mono id">{reference}</span>}
      {note === null ? null : <span class="soft"> {note}</span>}
    </>
  );
}

const order = ['charged', 'free', 'refunded', 'open'] as const;

/** Shows how many calls had each outcome and what they cost, and what payments added. */
export function Totals({ totals }: { totals: readonly ActivityTotal[] }) {
  const of = (outcome: string): ActivityTotal | undefined =>
    totals.find((total) => total.outcome === outcome);
  const calls = totals.filter(({ outcome }) => outcome !== 'payment');
  const payments = of('payment');
  const count = calls.reduce((sum, { lines }) => sum + lines, 0);
  const spent = -calls.reduce((sum, { credits }) => sum + credits, 0);
  const parts = order.flatMap((outcome) => {
    const total = of(outcome);
    const label = outcomeLabels[outcome].toLowerCase();
    return total === undefined ? [] : [`${formatCount(total.lines)} ${label}`];
  });
  return (
    <dl class="tiles" aria-label="Totals of all lines of this filter">
      <Tile label="Calls" value={formatCount(count)} note={parts.join(', ')} />
      <Tile label="Credits spent" value={formatCount(spent)} note="less what was returned" />
      <Tile
        label="Credits from payments"
        value={formatChange(payments?.credits ?? 0)}
        note={formatCounted(payments?.lines ?? 0, 'payment')}
      />
    </dl>
  );
}
