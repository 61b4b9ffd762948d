/** Where a member is signed in, with a button for each session. */
import { type ListedSession, sessionNameOf } from '../../accounts/sql/session-rows.ts';
import { Badge } from './badge.tsx';
import { Submit } from './button.tsx';
import { DataTable } from './data-table.tsx';
import { Form } from './form.tsx';
import { Timestamp } from './timestamp.tsx';

export interface SessionTableProps {
  sessions: readonly ListedSession[];
  /** The token of this browser. */
  cookieToken: string | undefined;
  formToken: string;
  /** Where this browser is signed out. */
  signOutPath?: string;
  /** Where the sessions are that others sign out. */
  sessionsPath?: string;
}

export function SessionTable({
  sessions,
  cookieToken,
  formToken,
  signOutPath = '/dashboard/sign-out',
  sessionsPath = '/dashboard/account/sessions',
}: SessionTableProps) {
  const own = cookieToken === undefined ? '' : sessionNameOf(cookieToken);
  return (
    <DataTable
      caption="Sessions"
      isCaptionHidden
      columns={[
        { head: 'Browser' },
        { head: 'Network address' },
        { head: 'Signed in' },
        { head: 'Last used' },
        { head: 'Action' },
      ]}
      rows={sessions.map(({ name, device, address, createdAt, seenAt }) => [
        <>
          {device ?? 'Unknown browser'}
          {name === own ? <Badge tone="good">This browser</Badge> : null}
        </>,
        address ?? 'Unknown',
        <Timestamp key="started" time={createdAt} />,
        <Timestamp key="seen" time={seenAt} />,
        <Form
          key="end"
          action={name === own ? signOutPath : `${sessionsPath}/${name}/sign-out`}
          token={formToken}
          class=""
        >
          <Submit look="plain compact">
            Sign out
            <span class="hidden">
              {' '}
              {device ?? 'unknown browser'}
              {name === own ? ', this browser' : ''}
            </span>
          </Submit>
        </Form>,
      ])}
    />
  );
}
