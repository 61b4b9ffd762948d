/** What operators gave a customer, with a link to take each back. */
import type { GivenCredit } from '../../../accounts/sql/given-credit.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatCount } from '../../components/format-values.ts';
import { Timestamp } from '../../components/timestamp.tsx';

/** How many a page shows, the newest. What is older is for `verbatim credit take-back`. */
export const GIVEN_SHOWN = 20;

export function GivenCreditTable({
  customerId,
  given,
}: {
  customerId: number;
  given: readonly GivenCredit[];
}) {
  return (
    <DataTable
      caption="Credit given by operators, newest first"
      isCaptionHidden
      columns={[
        { head: 'Time' },
        { head: 'Credits', isNumber: true },
        { head: 'Reference' },
        { head: 'Note' },
        { head: 'Actions' },
      ]}
      rows={given.map(({ id, credits, reference, note, createdAt, takenBack }) => [
        <Timestamp key="at" time={createdAt} />,
        formatCount(credits),
        reference ?? '–',
        note ?? '–',
        takenBack > 0 ? (
          `${formatCount(takenBack)} taken back`
        ) : (
          <a key="take" class="whole" href={`/operator/customers/${customerId}/credit/${id}`}>
            Take back<span class="hidden"> {formatCount(credits)} credits</span>
          </a>
        ),
      ])}
    />
  );
}
