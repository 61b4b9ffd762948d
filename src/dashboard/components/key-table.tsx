/** A table of a customer's keys with their usage. */

import type { OwnKey } from '../../store/accounts/api-keys.ts';
import { type KeyState, keyState } from '../page/key-state.ts';
import { DataTable } from './data-table.tsx';
import { formatCount, formatCounted } from './format.ts';
import { Timestamp } from './timestamp.tsx';

export interface KeyTableProps {
  caption: string;
  keys: readonly OwnKey[];
  now: number;
  /** Adds links to the pages that change a key. */
  hasActions?: boolean;
}

const tones: Record<KeyState, string> = { valid: 'good', ending: 'warn', revoked: '' };

export function KeyTable({ caption, keys, now, hasActions = false }: KeyTableProps) {
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
        ...(hasActions ? [{ head: 'Actions' }] : []),
      ]}
      rows={keys.map((key) => [
        key.name,
        <code key="prefix">{key.prefix}</code>,
        <Timestamp key="created" time={key.createdAt} isDay />,
        key.lastUsedAt === null ? 'never' : <Timestamp key="used" time={key.lastUsedAt} isDay />,
        <ThisMonth key="month" apiKey={key} />,
        formatCounted(key.toDate.requests, 'search', 'searches'),
        <State key="state" apiKey={key} now={now} />,
        ...(hasActions ? [<Actions key="actions" apiKey={key} />] : []),
      ])}
    />
  );
}

function Actions({ apiKey: { prefix, name, creditsPerMonthMax } }: { apiKey: OwnKey }) {
  return (
    <span class="actions">
      <a href={`/dashboard/keys/${prefix}/cap`}>
        {creditsPerMonthMax === null ? 'Set cap' : 'Change cap'}
        <span class="hidden"> of {name}</span>
      </a>
      <a href={`/dashboard/keys/${prefix}/lanes`}>
        Lanes<span class="hidden"> of {name}</span>
      </a>
      <a href={`/dashboard/keys/${prefix}/revoke`}>
        Revoke<span class="hidden"> {name}</span>
      </a>
    </span>
  );
}

/** Shows credits if there is a cap to compare with, otherwise searches. */
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
          <Timestamp time={apiKey.revokedAt} />
        </span>
      )}
    </>
  );
}
