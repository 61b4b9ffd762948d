/** Tables and paragraphs of the documentation. */
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

/** Renders text with code between backticks and with links to pages. */
export function RichText({ text }: { text: string }) {
  return (
    <>
      {withoutLinks(text)
        .split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/)
        .map(renderPiece)}
    </>
  );
}

function renderPiece(text: string, index: number) {
  const [, label, href] = text.match(/^\[(.+)\]\((.+)\)$/) ?? [];
  if (href !== undefined) {
    return (
      <a key={String(index)} href={href}>
        {label}
      </a>
    );
  }
  return text.startsWith('`') ? <code key={String(index)}>{text.slice(1, -1)}</code> : text;
}
