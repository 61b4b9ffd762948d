/** The months of a customer: how credit moved in each, with a link to its statement. */
import type { CreditMove } from '../../accounts/sql/statement-sums.ts';
import type { Statement } from '../../accounts/statements.ts';
import { Card } from './card.tsx';
import { DataTable } from './data-table.tsx';
import { formatChange, formatCount, formatMonth } from './format-values.ts';

interface StatementListProps {
  /** The path before the month. */
  path: string;
  /** Oldest first. */
  statements: readonly Statement[];
}

const columns: readonly (readonly [head: string, moves: readonly CreditMove[]])[] = [
  ['Purchases', ['purchase']],
  ['Gifts', ['gift']],
  ['Calls', ['call', 'refund']],
  ['Reversals and disputes', ['reversal', 'dispute', 'restored']],
];

export function StatementList({ path, statements }: StatementListProps) {
  return (
    <Card id="statements" title="Statements">
      <DataTable
        caption="Credits by month in UTC, latest first"
        isCaptionHidden
        columns={[
          { head: 'Month' },
          ...columns.map(([head]) => ({ head, isNumber: true })),
          { head: 'Closing balance', isNumber: true },
        ]}
        rows={statements.toReversed().map(({ month, lines, closing }) => [
          <a key="month" href={`${path}/${month}`}>
            {formatMonth(Date.parse(`${month}-01`))}
          </a>,
          ...columns.map(([, moves]) => {
            const credits = lines
              .filter(({ move }) => moves.includes(move))
              .reduce((sum, line) => sum + line.credits, 0);
            return credits === 0 ? '–' : formatChange(credits);
          }),
          formatCount(closing),
        ])}
      />
    </Card>
  );
}
