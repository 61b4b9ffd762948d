/** Failures by key and error, the latest first, each with a link to its requests. */
import type { FailureCount } from '../../../accounts/sql/request-pages.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatCount } from '../../components/format-values.ts';
import { Status } from '../../components/request-table.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { linkTo } from '../../page/filter-fields.ts';

/** Those of today and yesterday. */
export function Failures({ failures }: { failures: readonly FailureCount[] }) {
  if (failures.length === 0) return <p class="soft">No request failed.</p>;
  return (
    <DataTable
      caption="Today and yesterday (UTC), the latest first"
      columns={[
        { head: 'Error' },
        { head: 'Requests', isNumber: true },
        { head: 'Last' },
        { head: 'Customer', isAddress: true },
        { head: 'Key' },
      ]}
      rows={failures.map((failure) => [
        <FailureLink key="error" failure={failure} />,
        formatCount(failure.calls),
        <Timestamp key="last" time={failure.lastAt} />,
        failure.customerId === null ? (
          'no key that is known'
        ) : (
          <a key="customer" href={`/operator/customers/${failure.customerId}`}>
            {failure.customer}
          </a>
        ),
        failure.keyName === null ? (
          '–'
        ) : (
          <span key="key">
            <bdi>{failure.keyName}</bdi> <code>{failure.keyPrefix}</code>
          </span>
        ),
      ])}
    />
  );
}

/** Requests without a known key are only counted. */
function FailureLink({ failure }: { failure: FailureCount }) {
  const { customerId, keyPrefix, status, code } = failure;
  const shown = <Status status={status} code={code} />;
  if (customerId === null || keyPrefix === null) return shown;
  const filter = { status: String(status), key: keyPrefix };
  return <a href={linkTo(`/operator/customers/${customerId}/requests`, filter)}>{shown}</a>;
}
