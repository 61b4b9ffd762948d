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

const tones: Record<KeyState, string> = { valid: '', ending: 'warn', revoked: '' };

export function KeyTable({ caption, keys, now, hasActions = false }: KeyTableProps) {
  return (
    <DataTable
      caption={caption}
      isCaptionHidden
      columns={[
        { head: 'Name' },
        { head: 'Created' },
        { head: 'Last used' },
        { head: 'This month', isNumber: true },
        { head: 'To date', isNumber: true },
        ...(hasActions ? [{ head: 'Actions' }] : []),
      ]}
      rows={keys.map((key) => [
        <Name key="name" apiKey={key} now={now} />,
        <Timestamp key="created" time={key.createdAt} isDay />,
        key.lastUsedAt === null ? 'never' : <Timestamp key="used" time={key.lastUsedAt} isDay />,
        <ThisMonth key="month" apiKey={key} />,
        formatCounted(key.toDate.requests, 'search', 'searches'),
        ...(hasActions ? [<Actions key="actions" apiKey={key} />] : []),
      ])}
    />
  );
}

/** Shows the name, the hash prefix, for a client the site that answers for it, and when it ends. */
function Name({ apiKey, now }: { apiKey: OwnKey; now: number }) {
  const { name, prefix, client } = apiKey;
  return (
    <span class="key-name">
      {name} <span class="hidden">, hash prefix </span>
      <code>{prefix}</code>
      {client === null ? null : <span class="small soft">client of {new URL(client).host}</span>}
      <State apiKey={apiKey} now={now} />
    </span>
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

/** Shows when a key was or will be revoked. */
function State({ apiKey, now }: { apiKey: OwnKey; now: number }) {
  const state = keyState(apiKey, now);
  if (state === 'valid' || apiKey.revokedAt === null) return null;
  return (
    <span class="small soft">
      <span class={`badge ${tones[state]}`}>{state}</span> <Timestamp time={apiKey.revokedAt} />
    </span>
  );
}
