/** What operators changed, newest first. */
import type { ComponentChildren } from 'preact';
import type { OperatorAction } from '../../../accounts/sql/operator-trail.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

export interface ActionTableProps {
  actions: readonly OperatorAction[];
  /** Leaves the column of customers out, on the page of one. */
  isOfOne?: boolean;
}

export function ActionTable({ actions, isOfOne = false }: ActionTableProps) {
  return (
    <DataTable
      caption="Actions, newest first"
      isCaptionHidden
      columns={[
        { head: 'Time' },
        { head: 'Who', isAddress: true },
        { head: 'Action' },
        ...(isOfOne ? [] : [{ head: 'Customer', isAddress: true }]),
        { head: 'About' },
        { head: 'Details' },
      ]}
      rows={actions.map((action) => [
        <Timestamp key="at" time={action.at} />,
        <EmailAddress key="who" address={action.actor} />,
        action.action,
        ...(isOfOne ? [] : [customerOf(action)]),
        action.subject === null ? (
          '–'
        ) : (
          <span key="subject" class="mono">
            {action.subject}
          </span>
        ),
        action.details ?? '–',
      ])}
    />
  );
}

function customerOf({ customer, customerId }: OperatorAction): ComponentChildren {
  if (customer === null) return '–';
  return (
    <a key="customer" href={`/operator/customers/${customerId}`}>
      <EmailAddress address={customer} />
    </a>
  );
}
