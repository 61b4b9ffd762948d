/** The search form: question, number of results and key. */
import { exampleQuestion } from '../../example.ts';
import { Field, Select } from './field.tsx';
import { Form } from './form.tsx';

export interface TryFormProps {
  token: string;
  keys: readonly { name: string; prefix: string }[];
  query?: string;
  limit?: string;
  key?: string;
}

const LIMITS = ['3', '5', '10', '25', '50'] as const;
const LIMIT_DEFAULT = '5';
const QUERY_CHARACTERS_MAX = 2048;

export function TryForm({ token, keys, query, limit = LIMIT_DEFAULT, key }: TryFormProps) {
  return (
    <section class="card" aria-label="Search">
      <Form action="/dashboard/try" token={token}>
        <Field
          label="Question"
          name="query"
          type="search"
          value={query}
          hint={`For example: ${exampleQuestion}`}
          input={{ required: true, maxLength: QUERY_CHARACTERS_MAX, autoComplete: 'off' }}
        />
        <div class="filters">
          <Select
            label="Results"
            name="limit"
            value={limit}
            options={LIMITS.map((value) => ({ value, label: value }))}
          />
          <Select
            label="Key"
            name="key"
            value={key}
            options={keys.map(({ name, prefix }) => ({
              value: prefix,
              label: `${name} (${prefix})`,
            }))}
          />
          <button class="button" type="submit">
            Search (1 credit)
          </button>
        </div>
      </Form>
    </section>
  );
}
