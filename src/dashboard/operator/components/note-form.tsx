/** What operators write about a customer, for themselves. */
import { marksOf, Remarks } from '../../components/field.tsx';
import { ChangeForm } from './change-form.tsx';

export interface NoteFormProps {
  action: string;
  token: string;
  note: string;
  charactersMax: number;
  error: string | undefined;
}

export function NoteForm({ action, token, note, charactersMax, error }: NoteFormProps) {
  const remarked = {
    name: 'about',
    hint: 'Only operators see it. It is deleted with the account.',
    error,
  };
  return (
    <section class="card" aria-labelledby="note-of">
      <h2 id="note-of">Note</h2>
      <ChangeForm action={action} token={token} button="Save note" tone="plain">
        <div class="field">
          <label for="about">About this customer</label>
          <textarea
            id="about"
            name="about"
            rows={4}
            maxLength={charactersMax}
            {...marksOf(remarked)}
          >
            {note}
          </textarea>
          <Remarks {...remarked} />
        </div>
      </ChangeForm>
    </section>
  );
}
