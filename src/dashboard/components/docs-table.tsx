/** A table of the documentation. */
import { type DocsTable, withoutLinks } from '../docs/table.ts';
import { DataTable } from './data-table.tsx';

export function Table({ table }: { table: DocsTable }) {
  return (
    <DataTable
      caption={table.caption}
      columns={table.heads.map((head) => ({ head: capitalized(head) }))}
      rows={table.rows.map((row) => row.map((cell) => <RichText key={cell} text={cell} />))}
      isProse
    />
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Renders text with code between backticks. */
function RichText({ text }: { text: string }) {
  const pieces = withoutLinks(text).split('`');
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? <code key={String(index)}>{piece}</code> : piece,
      )}
    </>
  );
}
