/** The search form: the question, and behind it number of results, key and filters. */

import { sourceNames } from '../../identity/source-names.ts';
import { exampleQuestion } from '../../settings/example.ts';
import { paperTypes } from '../../types.ts';
import { countFilters, type Entered, type FieldError } from '../page/try-fields.ts';
import { Submit } from './button.tsx';
import { sentence } from './error-view.tsx';
import { Field, Select } from './field.tsx';
import { Form } from './form.tsx';
import { formatCounted } from './format-values.ts';
import { KeySelect, type KeySelectProps } from './key-select.tsx';

export interface TryFormProps {
  token: string;
  keys: KeySelectProps['keys'];
  entered: Entered;
  /** Shows the options even if no filter is set. */
  isOpen?: boolean;
  error?: FieldError | undefined;
}

const LIMITS = ['3', '5', '10', '25', '50'] as const;
const LIMIT_DEFAULT = '5';
const QUERY_CHARACTERS_MAX = 2048;
const ANY = { value: '', label: 'Any' } as const;

export function TryForm({ token, keys, entered, isOpen = false, error }: TryFormProps) {
  const filters = countFilters(entered);
  const errorOf = (name: FieldError['field']) =>
    error?.field === name ? { error: sentence(error.message) } : {};
  return (
    <section class="card" aria-label="Search">
      <Form action="/dashboard/try" token={token}>
        <div class="ask">
          <Field
            label="Question"
            name="query"
            type="search"
            value={entered.query}
            {...(entered.query === undefined ? { hint: `For example: ${exampleQuestion}` } : {})}
            input={{ required: true, maxLength: QUERY_CHARACTERS_MAX, autoComplete: 'off' }}
          />
          <Submit>Search (1 credit)</Submit>
        </div>
        <div class="more">
          <details open={isOpen || filters > 0}>
            <summary>
              Options{filters === 0 ? '' : ` (${formatCounted(filters, 'filter')})`}
            </summary>
            <div class="stack">
              <div class="filters">
                <Select
                  label="Results"
                  name="limit"
                  value={entered.limit ?? LIMIT_DEFAULT}
                  {...errorOf('limit')}
                  options={LIMITS.map((value) => ({ value, label: value }))}
                />
                <KeySelect keys={keys} value={entered.key} />
              </div>
              <Filters entered={entered} errorOf={errorOf} />
            </div>
          </details>
        </div>
      </Form>
    </section>
  );
}

interface FiltersProps {
  entered: Entered;
  errorOf: (name: FieldError['field']) => { error?: string };
}

function Filters({ entered, errorOf }: FiltersProps) {
  const fieldOf = (name: FieldError['field']) => ({
    name,
    value: entered[name] ?? '',
    ...errorOf(name),
  });
  return (
    <fieldset>
      <legend class="hidden">Filters</legend>
      <div class="filter-grid">
        <Field
          label="Year from"
          {...fieldOf('year_from')}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
        <Field
          label="Year to"
          {...fieldOf('year_to')}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
        <Select
          label="Type"
          {...fieldOf('type')}
          options={[ANY, ...paperTypes.map((value) => ({ value, label: typeLabel(value) }))]}
        />
        <Select
          label="Open access"
          {...fieldOf('open_access')}
          options={[ANY, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]}
        />
        <Select
          label="Abstract"
          {...fieldOf('has_abstract')}
          options={[ANY, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]}
        />
        <Field
          label="Journal or conference"
          {...fieldOf('venue')}
          input={{ autoComplete: 'off' }}
        />
        <Field
          label="Author"
          {...fieldOf('author')}
          hint="A whole name, or an ORCID."
          input={{ autoComplete: 'off' }}
        />
        <Field label="DOI begins with" {...fieldOf('doi_prefix')} input={{ autoComplete: 'off' }} />
        <Field
          label="Source"
          {...fieldOf('source')}
          input={{ autoComplete: 'off', list: 'sources' }}
        />
        <datalist id="sources">
          {sourceNames.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field
          label="Only these papers"
          {...fieldOf('ids')}
          hint="DOIs or other ids, separated by spaces."
          input={{ autoComplete: 'off' }}
        />
      </div>
    </fieldset>
  );
}

/** `conference-paper` as `Conference paper`. */
function typeLabel(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('-', ' ');
}
