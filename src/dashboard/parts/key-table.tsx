/** A customer's keys, by the prefix of their hash, with what they have used. */

import type { OwnKey } from '../../store/own-keys.ts';
import { formatCount, formatCounted } from '../format.ts';
import { type KeyState, keyState } from '../key-state.ts';
import { DataTable } from './data-table.tsx';
import { Moment } from './moment.tsx';

export interface KeyTableProps {
  caption: string;
  keys: readonly OwnKey[];
  now: number;
  /** With a link to the page that revokes. */
  canRevoke?: boolean;
}

const tones: Record<KeyState, string> = { valid: 'good', ending: 'warn', revoked: '' };

export function KeyTable({ caption, keys, now, canRevoke = false }: KeyTableProps) {
  return (
    <DataTable
      caption={caption}
      isCaptionHidden
      columns={[
        { head: 'Name' },
        { head: 'Hash prefix' },
        { head: 'Created' },
        { head: 'Last used' },
        { head: 'This month', isNumber: true },
        { head: 'To date', isNumber: true },
        { head: 'State' },
        ...(canRevoke ? [{ head: 'Action' }] : []),
      ]}
      rows={keys.map((key) => [
        key.name,
        <code key="prefix">{key.prefix}</code>,
        <Moment key="created" time={key.createdAt} isDay />,
        key.lastUsedAt === null ? 'never' : <Moment key="used" time={key.lastUsedAt} isDay />,
        <ThisMonth key="month" apiKey={key} />,
        formatCounted(key.toDate.requests, 'search', 'searches'),
        <State key="state" apiKey={key} now={now} />,
        ...(canRevoke
          ? [
              <a key="revoke" href={`/dashboard/keys/${key.prefix}/revoke`}>
                Revoke<span class="hidden"> {key.name}</span>
              </a>,
            ]
          : []),
      ])}
    />
  );
}

/** Credits where there is a cap to compare them with, else searches. */
function ThisMonth({ apiKey: { thisMonth, creditsPerMonthMax } }: { apiKey: OwnKey }) {
  if (creditsPerMonthMax === null) {
    return <>{formatCounted(thisMonth.requests, 'search', 'searches')}</>;
  }
  return (
    <>
      {formatCount(thisMonth.credits)} of {formatCounted(creditsPerMonthMax, 'credit')}
    </>
  );
}

function State({ apiKey, now }: { apiKey: OwnKey; now: number }) {
  const state = keyState(apiKey, now);
  return (
    <>
      <span class={`badge ${tones[state]}`}>{state}</span>
      {state === 'valid' || apiKey.revokedAt === null ? null : (
        <span class="small soft">
          {' '}
          <Moment time={apiKey.revokedAt} />
        </span>
      )}
    </>
  );
}
