/** The form for a bibliography or a text that cites. */
import {
  ITEMS_PER_CREDIT,
  REFERENCES_CHARACTERS_MAX,
  VERIFY_ITEMS_MAX,
} from '../../http/validate-verify.ts';
import { Submit } from './button.tsx';
import { marksOf, Remarks } from './field.tsx';
import { Form } from './form.tsx';
import { formatCount } from './format-values.ts';
import { KeySelect, type KeySelectProps } from './key-select.tsx';

export interface ReferencesFormProps {
  token: string;
  keys: KeySelectProps['keys'];
  entered: { text: string; prefix: string };
  /** What is wrong with the text. */
  error?: string | undefined;
}

const ROWS = 12;
const HINT = `A bibliography in any printed style, BibTeX, or RIS, or a text with its references. Up to ${VERIFY_ITEMS_MAX} references and ${formatCount(REFERENCES_CHARACTERS_MAX)} characters. Up to ${ITEMS_PER_CREDIT} references cost 1 credit, up to ${2 * ITEMS_PER_CREDIT} cost 2, and so on.`;

export function ReferencesForm({ token, keys, entered, error }: ReferencesFormProps) {
  const remarked = { name: 'text', hint: HINT, error };
  return (
    <section class="card" aria-label="References">
      <Form action="/dashboard/try/references" token={token}>
        <div class="field">
          <label for="text">Bibliography or text</label>
          <textarea
            id="text"
            name="text"
            rows={ROWS}
            required
            spellcheck={false}
            autocomplete="off"
            {...marksOf(remarked)}
          >
            {entered.text}
          </textarea>
          <Remarks {...remarked} />
        </div>
        <div class="filters">
          <KeySelect keys={keys} value={entered.prefix === '' ? undefined : entered.prefix} />
          <Submit>Check references</Submit>
        </div>
      </Form>
    </section>
  );
}
