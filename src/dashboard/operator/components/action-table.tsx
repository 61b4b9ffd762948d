/** What operators changed, newest first. */
import type { OperatorAction } from '../../../store/accounts/operator-trail.ts';
import { DataTable } from '../../components/data-table.tsx';
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
        action.actor,
        action.action,
        ...(isOfOne ? [] : [<Customer key="customer" action={action} />]),
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

function Customer({ action: { customer, customerId } }: { action: OperatorAction }) {
  if (customer === null) return <>–</>;
  return <a href={`/operator/customers/${customerId}`}>{customer}</a>;
}
