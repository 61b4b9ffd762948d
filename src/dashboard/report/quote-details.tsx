/** What a report says of a quote: its words, how they differ, and from which paper they are. */
import { changeKindsOf } from '../../verify/manuscript/verdict-words.ts';
import type { CheckedQuote } from '../../verify/manuscript/verify-manuscript.ts';
import { PaperLink } from './paper-link.tsx';

export function QuoteDetails({ checked }: { checked: CheckedQuote }) {
  const { quote, cites, verdict, d, t, diff, reason } = checked;
  const changes = changeKindsOf(checked);
  return (
    <>
      <blockquote>
        {verdict === 'near' && diff !== undefined ? <Diff diff={diff} /> : quote}
      </blockquote>
      {changes.length === 0 ? null : <p>Changed: {changes.join(', ')}.</p>}
      {reason === undefined ? null : <p>{reason}</p>}
      <p class="source">
        Cites {cites.join(', ')}
        {d === undefined ? null : (
          <>
            ; {verdict === 'elsewhere' ? 'appears in ' : ''}
            <PaperLink d={d} t={t} />
          </>
        )}
      </p>
    </>
  );
}

/** What only the quote has is struck through, what only the source has is underlined. */
function Diff({ diff }: { diff: NonNullable<CheckedQuote['diff']> }) {
  return (
    <>
      {diff.map(([kind, text], at) => (
        <DiffPart key={String(at)} kind={kind} text={text} />
      ))}
    </>
  );
}

function DiffPart({ kind, text }: { kind: '=' | '-' | '+'; text: string }) {
  if (kind === '=') return <> {text} </>;
  return <> {kind === '-' ? <del>{text}</del> : <ins>{text}</ins>}</>;
}
