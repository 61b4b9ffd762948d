/** A table; on a phone each row is a small list with the columns' heads as labels. */
import type { ComponentChildren } from 'preact';

export interface Column {
  head: string;
  /** Numbers: aligned at the right, digits below one another. */
  isNumber?: boolean;
}

export interface DataTableProps {
  caption: string;
  columns: readonly Column[];
  /** The first cell of a row is its name. */
  rows: readonly (readonly ComponentChildren[])[];
  /** Cells with sentences, which stand below their labels on a phone. */
  isProse?: boolean;
  /** The caption for those who don't see the table only. */
  isCaptionHidden?: boolean;
}

export function DataTable({ caption, columns, rows, isProse, isCaptionHidden }: DataTableProps) {
  return (
    <table class={isProse ? 'stacked prose-table' : 'stacked'}>
      <caption>{isCaptionHidden ? <span class="hidden">{caption}</span> : caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isNumber }) => (
            <th key={head} scope="col" class={isNumber ? 'end' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <tr key={String(index)}>
            {cells.map((cell, column) => (
              <Cell key={columns[column]?.head} column={columns[column]} isName={column === 0}>
                {cell}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  column: Column | undefined;
  isName: boolean;
  children: ComponentChildren;
}

function Cell({ column, isName, children }: CellProps) {
  const given = { 'data-label': column?.head, ...(column?.isNumber ? { class: 'end' } : {}) };
  // One element, so that a label and its value are two items side by side.
  const content = <span>{children}</span>;
  if (!isName) return <td {...given}>{content}</td>;
  return (
    <th scope="row" {...given}>
      {content}
    </th>
  );
}
