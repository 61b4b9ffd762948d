/** A table of a customer's keys with their usage. */

import type { ComponentChildren } from 'preact';
import type { OwnKey } from '../../accounts/sql/own-keys.ts';
import { type KeyState, keyState } from '../page/key-state.ts';
import { DataTable } from './data-table.tsx';
import { formatCount, formatCounted } from './format-values.ts';
import { Timestamp } from './timestamp.tsx';

export interface KeyTableProps {
  caption: string;
  keys: readonly OwnKey[];
  now: number;
  /** The server's limits, for keys without limits of their own; absent: limits are not shown. */
  limits?: ServerLimits;
  /** Adds links to the pages that change a key. */
  actions?: (key: OwnKey) => ComponentChildren;
}

export interface ServerLimits {
  requestsPerMinute: number;
  inFlightPerKeyMax: number;
}

const tones: Record<KeyState, string> = { valid: '', ending: 'warn', revoked: '', expired: '' };

export function KeyTable({ caption, keys, now, limits, actions }: KeyTableProps) {
  return (
    <DataTable
      caption={caption}
      isCaptionHidden
      columns={[
        { head: 'Name' },
        ...(limits === undefined ? [] : [{ head: 'Limits' }]),
        { head: 'Last used' },
        { head: 'Searches this month', isNumber: true },
        { head: 'Searches to date', isNumber: true },
        ...(actions === undefined ? [] : [{ head: 'Actions' }]),
      ]}
      rows={keys.map((key) => [
        <Name key="name" apiKey={key} now={now} />,
        ...(limits === undefined ? [] : [<Limits key="limits" apiKey={key} limits={limits} />]),
        key.lastUsedAt === null ? 'never' : <Timestamp key="used" time={key.lastUsedAt} isDay />,
        <ThisMonth key="month" apiKey={key} />,
        formatCount(key.toDate.requests),
        ...(actions === undefined ? [] : [actions(key)]),
      ])}
    />
  );
}

/** Shows the name, the hash prefix, for a client the site that answers for it, and when it ends. */
function Name({ apiKey, now }: { apiKey: OwnKey; now: number }) {
  const { name, prefix, client } = apiKey;
  return (
    <span class="key-name">
      <bdi class="name">{name}</bdi> <span class="hidden">, hash prefix </span>
      <code>{prefix}</code>
      {client === null ? null : <span class="small soft">client of {new URL(client).host}</span>}
      <span class="small soft">
        created <Timestamp time={apiKey.createdAt} isDay />
      </span>
      <State apiKey={apiKey} now={now} />
      <OldSecret apiKey={apiKey} now={now} />
    </span>
  );
}

/** Shows the rate and the searches in flight that the key may have at once. */
function Limits({ apiKey, limits }: { apiKey: OwnKey; limits: ServerLimits }) {
  const perMinute = apiKey.requestsPerMinute ?? limits.requestsPerMinute;
  const inFlight = apiKey.inFlightMax ?? limits.inFlightPerKeyMax;
  return (
    <>
      <span class="whole">{formatCount(perMinute)} a minute,</span>{' '}
      <span class="whole">{formatCount(inFlight)} at once</span>
    </>
  );
}

/** Shows how long the secret before the last rotation works. */
function OldSecret({
  apiKey: { oldPrefix, oldSecretEndsAt },
  now,
}: {
  apiKey: OwnKey;
  now: number;
}) {
  if (oldSecretEndsAt === null || oldSecretEndsAt <= now) return null;
  return (
    <span class="small soft">
      <span class="badge warn">rotated</span> old secret <code>{oldPrefix}</code> works until{' '}
      <Timestamp time={oldSecretEndsAt} />
    </span>
  );
}

/** Links to a customer's own pages that change a key. */
export function KeyActions({ apiKey }: { apiKey: OwnKey }) {
  const { prefix, name, client } = apiKey;
  const links = [
    ['edit', 'Edit'],
    ...(client === null ? [['rotate', 'Rotate']] : []),
    ['revoke', 'Revoke'],
  ];
  return (
    <details class="row-menu" name="key">
      <summary>
        Manage<span class="hidden"> {name}</span>
      </summary>
      <span class="actions">
        {links.map(([page, label]) => (
          <a key={page} href={`/dashboard/keys/${prefix}/${page}`}>
            {label}
            <span class="hidden">
              {' '}
              <bdi>{name}</bdi>
            </span>
          </a>
        ))}
      </span>
    </details>
  );
}

/** Shows the searches, and below them the credits if there is a cap to compare with, and what failed. */
function ThisMonth({ apiKey }: { apiKey: OwnKey }) {
  const { thisMonth, creditsPerMonthMax, failedThisMonth } = apiKey;
  return (
    <>
      {formatCount(thisMonth.requests)}
      {creditsPerMonthMax === null ? null : (
        <span class="below small soft">
          {formatCount(thisMonth.credits)} of {formatCounted(creditsPerMonthMax, 'credit')}
        </span>
      )}
      {failedThisMonth === 0 ? null : (
        <span class="below small soft">{formatCount(failedThisMonth)} failed</span>
      )}
    </>
  );
}

/** Shows when a key ended or will end. */
function State({ apiKey, now }: { apiKey: OwnKey; now: number }) {
  const state = keyState(apiKey, now);
  if (state === 'valid') {
    if (apiKey.expiresAt === null) return null;
    return (
      <span class="small soft">
        works until <Timestamp time={apiKey.expiresAt} />
      </span>
    );
  }
  if (apiKey.revokedAt === null) return null;
  return (
    <span class="small soft">
      <span class={`badge ${tones[state]}`}>{state}</span> <Timestamp time={apiKey.revokedAt} />
    </span>
  );
}
