/** The references of a text, marked in it, and what was found of each. */
import type { ComponentChildren } from 'preact';
import { BALANCE_HEADER } from '../../http/paid-call.ts';
import { verifyCredits } from '../../http/validate-verify.ts';
import type { PastedReference } from '../../verify/manuscript/read-pasted.ts';
import { doubtfulFirst, meaningOf } from '../../verify/manuscript/verdict-words.ts';
import { type WithResult, withResults } from '../../verify/manuscript/verify-manuscript.ts';
import type { ReferenceResult } from '../../verify/references/verify-reference.ts';
import { saysAnything } from '../../verify/says-anything.ts';
import { Card } from '../components/card.tsx';
import { formatCount, formatCounted } from '../components/format-values.ts';
import { ReferencesForm } from '../components/references-form.tsx';
import { loadTex } from '../components/tex-text.tsx';
import { TryHead } from '../components/try-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { usableKeys } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import type { TriedText } from '../page/tried-searches.ts';
import { CheckedItem, lookOf } from '../report/checked-item.tsx';
import { ReferenceDetails } from '../report/reference-details.tsx';

/** A reference of the text with its result and its number. */
type Numbered = WithResult<PastedReference> & { number: number };

export async function referencesView(
  deps: DashboardDeps,
  call: CustomerCall,
  tried: TriedText,
): Promise<View> {
  const { text, keyPrefix: prefix } = tried;
  const { items } = JSON.parse(tried.response.body) as { items: ReferenceResult[] };
  const references = withResults(tried.references, items).map((one, at) => {
    return { ...one, number: at + 1 };
  });
  const sorted = doubtfulFirst(references);
  const [keys] = await Promise.all([usableKeys(deps, call.session.customer.id), loadTex()]);
  return {
    title: 'References of your text',
    main: (
      <>
        <TryHead path="/dashboard/try/references" />
        <section class="stack" aria-label="Counts">
          <Counts sorted={sorted} />
          <Figures tried={tried} items={items} />
        </section>
        <Card id="text-head" title="Your text">
          <p class="pasted">{markedText(text, references)}</p>
        </Card>
        <Card id="references-head" title="References, the doubtful first">
          <ul class="citations">
            {sorted.map((one) => (
              <Reference key={one.number} checked={one} />
            ))}
          </ul>
        </Card>
        <details>
          <summary>Check another text</summary>
          <ReferencesForm token={call.formToken()} keys={keys} entered={{ text, prefix }} />
        </details>
      </>
    ),
  };
}

/** How many references have each verdict. */
function Counts({ sorted }: { sorted: readonly Numbered[] }) {
  const groups = new Map<string, Numbered[]>();
  for (const one of sorted) {
    const meaning = describe(one);
    groups.set(meaning, [...(groups.get(meaning) ?? []), one]);
  }
  return (
    <ul class="verdicts">
      {[...groups].map(([meaning, [first, ...others]]) => (
        <li key={meaning}>
          <Verdict checked={first as Numbered}>
            {others.length + 1} {meaning}
          </Verdict>
        </li>
      ))}
    </ul>
  );
}

/** What the check cost, in one line. */
function Figures({ tried, items }: { tried: TriedText; items: readonly ReferenceResult[] }) {
  const { references, keyName, response } = tried;
  const price = saysAnything(items)
    ? formatCounted(verifyCredits(items.length), 'credit')
    : 'free, because nothing could be said of them';
  return (
    <p class="small soft">
      {formatCounted(references.length, 'reference')} with the key “<bdi>{keyName}</bdi>” · {price},{' '}
      {formatCount(Number(response.headers[BALANCE_HEADER]))} left
    </p>
  );
}

/** The text with a mark around each reference, which leads to what was found of it. */
function markedText(text: string, references: readonly Numbered[]): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const one of references) {
    const { place, number } = one;
    // Two entries on one line have one place.
    if (place === undefined || place.start < at) continue;
    parts.push(
      <bdi key={at}>{text.slice(at, place.start)}</bdi>,
      <mark key={number} id={`mark-${number}`} class={lookWithNotices(one).tone}>
        <bdi>{text.slice(place.start, place.end)}</bdi>{' '}
        <a href={`#reference-${number}`}>
          <Verdict checked={one}>{describe(one)}</Verdict>
        </a>
      </mark>,
    );
    at = place.end;
  }
  return [...parts, text.slice(at)];
}

function Verdict({ checked, children }: { checked: Numbered; children: ComponentChildren }) {
  const { tone, mark } = lookWithNotices(checked);
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{mark}</span> {children}
    </span>
  );
}

/** "ok, retraction": what the verdict means, with the latest notice about the work. */
function describe(checked: Numbered): string {
  const [notice] = checked.notices ?? [];
  const meaning = meaningOf(checked);
  return notice === undefined ? meaning : `${meaning}, ${notice.kind.replaceAll('_', ' ')}`;
}

/** How a verdict looks. A work with a notice never looks good. */
function lookWithNotices(checked: Numbered): { tone: string; mark: string } {
  const look = lookOf(checked);
  const isNoticed = checked.notices !== undefined && look.tone === 'good';
  return isNoticed ? { tone: 'warn', mark: '!' } : look;
}

function Reference({ checked }: { checked: Numbered }) {
  const { number, name, place, assessment = 'cannot_tell' } = checked;
  return (
    <CheckedItem checked={checked} id={`reference-${number}`} name={name}>
      <ReferenceDetails checked={checked} id={String(number)} />
      <p class="source">
        Is it real? {assessment.replaceAll('_', ' ')}
        {place === undefined ? null : (
          <>
            {' · '}
            <a href={`#mark-${number}`}>
              In your text
              <span class="hidden">
                : <bdi>{name}</bdi>
              </span>
            </a>
          </>
        )}
      </p>
    </CheckedItem>
  );
}
