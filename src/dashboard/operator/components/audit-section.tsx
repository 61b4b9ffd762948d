/** Audits: the button that starts one, the one that runs, and what the last ones found. */
import type { KeptAudit } from '../../../accounts/sql/kept-audits.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { formatCount, formatCounted, formatMilliseconds } from '../../components/format-values.ts';
import { Notice } from '../../components/notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { RunningAudit } from '../page/audit-runner.ts';
import { ChangeForm } from './change-form.tsx';

/** The page of the audits, and where the form goes. */
export const AUDITS_PATH = '/operator/money/audits';

export function StartAudit({ token }: { token: string }) {
  return (
    <>
      <p class="soft measure">
        Adds up all entries of the ledger and compares the sums with what is stored, as{' '}
        <code>verbatim credit audit</code> does. Searches keep running.
      </p>
      <ChangeForm action={AUDITS_PATH} token={token} button="Audit now" />
    </>
  );
}

export function AuditRuns({ running: { startedAt, actor } }: { running: RunningAudit }) {
  return (
    <Notice tone="plain">
      <p>
        An audit started at <Timestamp time={startedAt} /> by {actor} is running. Reload this page
        to see what it found.
      </p>
    </Notice>
  );
}

export function AuditFailed({ at }: { at: number }) {
  return (
    <Notice tone="bad">
      <p>
        The audit that ended at <Timestamp time={at} /> could not finish. The log says why.
      </p>
    </Notice>
  );
}

/** What an audit found, in a sentence. */
export function AuditResult({ audit }: { audit: KeptAudit }) {
  const { startedAt, endedAt, actor, differenceCount } = audit;
  return (
    <Notice tone={differenceCount === 0 ? 'good' : 'bad'}>
      <p>
        <strong>
          {differenceCount === 0
            ? 'Everything adds up.'
            : `${formatCounted(differenceCount, 'difference')}.`}
        </strong>{' '}
        {formatCounted(audit.entries, 'entry', 'entries')} of{' '}
        {formatCounted(audit.customers, 'customer')} audited, {formatCounted(audit.held, 'credit')}{' '}
        held for searches in flight. Ended at <Timestamp time={endedAt} /> after{' '}
        {formatMilliseconds(endedAt - startedAt)}, started by {actor}.
      </p>
    </Notice>
  );
}

/** The differences that were kept. */
export function Differences({ audit: { differences, differenceCount } }: { audit: KeptAudit }) {
  const more = differenceCount - differences.length;
  return (
    <ul>
      {differences.map((difference) => (
        <li key={difference}>{difference}</li>
      ))}
      {more === 0 ? null : (
        <li>
          {formatCount(more)} more: <code>verbatim credit audit</code> lists all.
        </li>
      )}
    </ul>
  );
}

export function AuditTable({ audits }: { audits: readonly KeptAudit[] }) {
  return (
    <DataTable
      caption="Audits started on these pages, latest first"
      columns={[
        { head: 'Ended' },
        { head: 'Who', isAddress: true },
        { head: 'Took', isNumber: true },
        { head: 'Entries', isNumber: true },
        { head: 'Differences', isNumber: true },
      ]}
      rows={audits.map(({ startedAt, endedAt, actor, entries, differenceCount }) => [
        <Timestamp key="at" time={endedAt} />,
        <EmailAddress key="who" address={actor} />,
        formatMilliseconds(endedAt - startedAt),
        formatCount(entries),
        formatCount(differenceCount),
      ])}
    />
  );
}
