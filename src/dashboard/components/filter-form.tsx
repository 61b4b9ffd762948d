/**
 * A form that filters a page through its address, and what is said of a wrong filter. On a phone it is a
 * sheet that a button opens, without a script.
 */
import type { ComponentChildren } from 'preact';
import type { Texts } from '../page/filter-fields.ts';
import { Submit } from './button.tsx';
import { Field, type FieldProps, Select } from './field.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';

export interface FilterFormProps {
  action: string;
  children: ComponentChildren;
}

export function FilterForm({ action, children }: FilterFormProps) {
  return (
    <>
      <button class="button plain fold" type="button" popovertarget="filters">
        <Icon name="filter" />
        Filters
      </button>
      <form
        class="filters"
        id="filters"
        popover="auto"
        method="get"
        action={action}
        aria-label="Filter"
      >
        {children}
        <Submit look="plain">Filter</Submit>
      </form>
    </>
  );
}

/** What was entered into a filter, and what is wrong with it. */
export interface EnteredFilter {
  fields: Texts<'key' | 'from' | 'to'>;
  errors: Texts<'key' | 'from' | 'to'>;
}

/** The fields `from` and `to`. */
export function DayFields({ fields, errors }: EnteredFilter) {
  return (
    <>
      <DayField label="From (UTC)" name="from" value={fields.from} error={errors.from} />
      <DayField label="To (UTC)" name="to" value={fields.to} error={errors.to} />
    </>
  );
}

/** An invalid day is shown as text, because a date input would show nothing. */
function DayField(field: Pick<FieldProps, 'label' | 'name' | 'value' | 'error'>) {
  const isReadable = field.value === undefined || /^\d{4}-\d{2}-\d{2}$/.test(field.value);
  return <Field {...field} type={field.error === undefined && isReadable ? 'date' : 'text'} />;
}

export interface KeySelectProps extends EnteredFilter {
  keys: readonly { name: string; prefix: string }[];
}

export function KeySelect({ fields, errors, keys }: KeySelectProps) {
  return (
    <Select
      label="Key"
      name="key"
      value={fields.key}
      error={errors.key}
      options={[
        { value: '', label: 'All keys' },
        ...keys.map(({ name, prefix }) => ({ value: prefix, label: `${name} (${prefix})` })),
      ]}
    />
  );
}

export interface FilterErrorProps {
  /** The errors of fields that the form does not show. */
  hidden: readonly (string | undefined)[];
  what: string;
}

/** Says that nothing is shown because the filter is wrong. The fields say what is wrong. */
export function FilterError({ hidden, what }: FilterErrorProps) {
  const errors = hidden.filter((error) => error !== undefined);
  return (
    <Notice tone="bad">
      <p>
        This filter is invalid, so {what} are not shown. {errors.join(' ')}
      </p>
    </Notice>
  );
}
