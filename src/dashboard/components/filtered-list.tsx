/** A list that its address filters and divides into pages, and links to its files. */
import type { ComponentChildren } from 'preact';
import type { Page } from '../../accounts/sql/row-pages.ts';
import { describeErrors, linkTo } from '../page/filter-fields.ts';
import { PlainLink } from './button.tsx';
import { Empty } from './empty.tsx';
import { FilterError, FilterForm } from './filter-form.tsx';

/** What was entered into the filter, and what is wrong with it. */
export interface EnteredList {
  fields: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
}

export interface FilteredListProps<Row> {
  /** The page that it filters. */
  path: string;
  /** What the rows are called. */
  what: string;
  read: EnteredList;
  /** The fields of the filter. */
  form: ComponentChildren;
  /** Undefined if the filter is wrong. */
  page: Page<Row> | undefined;
  /** Above the rows. */
  totals?: ComponentChildren;
  table: (rows: readonly Row[]) => ComponentChildren;
  /** Shown without rows; `isFiltered` tells whether a filter is the reason. */
  none: (isFiltered: boolean) => ComponentChildren;
}

export function FilteredList<Row>(props: FilteredListProps<Row>) {
  const { path, what, read, form, page, totals, table, none } = props;
  const isFiltered = Object.keys(read.fields).length > 0;
  return (
    <>
      {page === undefined ? <FilterError what={what} hidden={[read.errors['before']]} /> : null}
      <FilterForm action={path}>{form}</FilterForm>
      {page === undefined ? null : (
        <>
          {totals}
          {page.rows.length === 0 ? (
            none(isFiltered)
          ) : (
            <section class="card" aria-label={`${what[0]?.toUpperCase()}${what.slice(1)}`}>
              {table(page.rows)}
            </section>
          )}
          <Pager path={path} fields={read.fields} next={page.next} />
        </>
      )}
    </>
  );
}

/** Said of a filter that nothing matches. */
export function NoneMatches({ path }: { path: string }) {
  return (
    <Empty title="Nothing matches this filter">
      <p>Change the filter, or show everything.</p>
      <PlainLink href={path}>Show everything</PlainLink>
    </Empty>
  );
}

export interface PagerProps {
  path: string;
  fields: EnteredList['fields'];
  next: number | undefined;
}

/** Leads to the first and to the next page. */
export function Pager({ path, fields, next }: PagerProps) {
  const { before, ...filter } = fields;
  if (before === undefined && next === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {before === undefined ? <span /> : <PlainLink href={linkTo(path, filter)}>Newest</PlainLink>}
      {next === undefined ? null : (
        <PlainLink href={linkTo(path, { ...filter, before: String(next) })}>Older</PlainLink>
      )}
    </nav>
  );
}

/** Leads to everything that a filter selects, as files; to none if the filter is wrong. */
export function Downloads({ path, read }: { path: string; read?: EnteredList }) {
  const { before: _, ...filter } = read?.fields ?? {};
  if (read !== undefined && describeErrors(read.errors) !== undefined) return null;
  return (
    <div class="row">
      <PlainLink href={linkTo(`${path}.csv`, filter)}>CSV</PlainLink>
      <PlainLink href={linkTo(`${path}.json`, filter)}>JSON</PlainLink>
    </div>
  );
}
