/** What a report says of a reference: the paper that was found, what differs, and the right reference. */

import { addressInText, addressOfField } from '../../verify/manuscript/verdict-words.ts';
import type { CheckedReference } from '../../verify/manuscript/verify-manuscript.ts';
import type { FieldComparison } from '../../verify/references/compare-fields.ts';
import type { ReferenceResult } from '../../verify/references/verify-reference.ts';
import { DataTable } from '../components/data-table.tsx';
import { sentence } from '../components/error-view.tsx';
import { Snippet } from '../components/snippet.tsx';
import { PaperLink } from './paper-link.tsx';

export interface ReferenceDetailsProps {
  checked: Pick<CheckedReference, 'reference'> & ReferenceResult;
  /** Another one for each reference of a page. */
  id: string;
}

export function ReferenceDetails({ checked, id }: ReferenceDetailsProps) {
  const { reference, verdict, d, t, other, fields = [], corrected, notices = [], reason } = checked;
  const unclear = fields.filter((field) => field.verdict !== 'same');
  return (
    <>
      {reference === undefined ? null : (
        <AsWritten text={textOf(reference)} isOpen={d === undefined} />
      )}
      {reason === undefined ? null : <p>{sentence(reason)}</p>}
      {d === undefined ? null : (
        <p>
          Found: <PaperLink d={d} t={t} />
        </p>
      )}
      {other === undefined ? null : (
        <p>
          Its title is that of <PaperLink d={other.d} t={other.t} />
        </p>
      )}
      {verdict === 'match' || unclear.length === 0 ? null : <Fields fields={unclear} />}
      {notices.map(({ kind, date, id }) => (
        <p key={kind + date}>
          <strong>{kind.replaceAll('_', ' ')}</strong> {date} {id}
        </p>
      ))}
      {corrected === undefined ? null : (
        <Snippet id={`corrected-${id}`} label="Corrected" code={textOf(corrected)} isWrapped />
      )}
    </>
  );
}

/** A reference that was not found is all that there is to read. */
function AsWritten({ text, isOpen }: { text: string; isOpen: boolean }) {
  const url = addressInText(text);
  return (
    <details open={isOpen}>
      <summary>As cited</summary>
      <Written text={text} />
      {url === undefined ? null : (
        <p>
          <a href={url}>{url}</a>
        </p>
      )}
    </details>
  );
}

function Written({ text }: { text: string }) {
  return (
    <div class="snippet">
      <pre class="wrapped">{text}</pre>
    </div>
  );
}

function Fields({ fields }: { fields: readonly FieldComparison[] }) {
  return (
    <DataTable
      caption="Fields that differ or cannot be checked"
      isCaptionHidden
      isProse
      columns={[{ head: 'Field' }, { head: 'Cited' }, { head: 'Recorded' }, { head: 'Problem' }]}
      rows={fields.map(({ field, verdict, cited, recorded, problem }) => [
        field,
        <Value key="cited" field={field} value={cited} />,
        recorded === undefined ? null : <Value key="recorded" field={field} value={recorded} />,
        problem ?? (verdict === 'unverified' ? 'no record says' : 'differs'),
      ])}
    />
  );
}

function Value({ field, value }: { field: string; value: FieldComparison['cited'] }) {
  const url = addressOfField(field, value);
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return url === undefined ? text : <a href={url}>{text}</a>;
}

function textOf(value: string | Record<string, unknown>): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
