/** The filter of the list of customers, parsed from the query. Pure. */
import type { CustomerOrder, CustomerState } from '../../../accounts/sql/customer-search.ts';
import { type FilterFields, readFilterFields } from '../../page/filter-fields.ts';

export const stateLabels: Readonly<Record<CustomerState, string>> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  debt: 'In debt',
  unconfirmed: 'Unconfirmed',
};

export const orderLabels: Readonly<Record<CustomerOrder, string>> = {
  newest: 'Newest first',
  used: 'Last used first',
  balance: 'Highest balance first',
  email: 'By address',
};

type FieldName = 'text' | 'state' | 'order' | 'page';

interface Filter {
  text?: string;
  state?: CustomerState;
  order?: CustomerOrder;
  page?: number;
}

export type ReadCustomerFilter = FilterFields<FieldName, Filter>;

/** Longer texts are no part of an address. */
const TEXT_CHARACTERS_MAX = 254;

export function readCustomerFilter(query: URLSearchParams): ReadCustomerFilter {
  return readFilterFields<FieldName, Filter>(query, {
    text: (text) =>
      text.length > TEXT_CHARACTERS_MAX
        ? { error: `Enter at most ${TEXT_CHARACTERS_MAX} characters.` }
        : { filter: { text } },
    state: (text) =>
      Object.hasOwn(stateLabels, text)
        ? { filter: { state: text as CustomerState } }
        : { error: `There is no state “${text}”.` },
    order: (text) =>
      Object.hasOwn(orderLabels, text)
        ? { filter: { order: text as CustomerOrder } }
        : { error: `There is no order “${text}”.` },
    page: (text) =>
      /^[1-9]\d{0,5}$/.test(text)
        ? { filter: { page: Number(text) } }
        : { error: `“${text}” is not the number of a page.` },
  });
}
