/**
 * A table. Where it is too wide, it scrolls under its first column. One with sentences becomes a list on
 * a phone, where cells without a value are left out.
 */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface Column {
  head: string;
  /** Aligns numbers on the right. */
  isNumber?: boolean;
  /** Holds addresses, which stay on one line. */
  isAddress?: boolean;
}

/** Stands in cells without a value. */
const NO_VALUE = '–';

export interface DataTableProps {
  caption: string;
  columns: readonly Column[];
  /** The first cell of a row is its header. */
  rows: readonly (readonly ComponentChildren[])[];
  /** Cells contain sentences; on a phone they go below their labels. */
  isProse?: boolean;
  /** Shows the caption to screen readers only. */
  isCaptionHidden?: boolean;
  /** A few short columns, which fit on a phone as they are. */
  isCompact?: boolean;
}

export function DataTable(props: DataTableProps) {
  const { caption, columns, rows, isProse, isCaptionHidden, isCompact } = props;
  const id = useId();
  const table = (
    <table class={isProse ? 'prose-table' : undefined}>
      <caption id={id}>{isCaptionHidden ? <span class="hidden">{caption}</span> : caption}</caption>
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
  if (isProse || isCompact) return table;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
    <div class="table" role="group" aria-labelledby={id} tabIndex={0}>
      {table}
    </div>
  );
}

interface CellProps {
  column: Column | undefined;
  isName: boolean;
  children: ComponentChildren;
}

function Cell({ column, isName, children }: CellProps) {
  const isEmpty = children === NO_VALUE || children === null;
  const styles = [column?.isNumber && 'end', column?.isAddress && 'address', isEmpty && 'none'];
  const attributes = {
    'data-label': column?.head,
    class: styles.filter(Boolean).join(' ') || undefined,
  };
  // One element, so that the label and the value are two flex items.
  const content = <span>{children}</span>;
  if (!isName) return <td {...attributes}>{content}</td>;
  return (
    <th scope="row" {...attributes}>
      {content}
    </th>
  );
}
