/** A result with its quote, and what made its sentence better than the next best one. */
import type { ExplainedResult, WeighedSentence } from '../../../search/explain-quote.ts';
import type { FeatureName } from '../../../search/sentence-features.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatDecimal } from '../../components/format-values.ts';

/** A feature that makes less of a difference is not shown. */
const DIFFERENCE_MIN = 0.05;

/** Features that say the same to a reader share a name, and are added up. */
const featureLabels: Readonly<Record<FeatureName, string>> = {
  answer: 'Near an answer',
  cosine: 'Near the question',
  coverage: 'Words of the question',
  position: 'Place in the abstract',
  positionRoot: 'Place in the abstract',
  length: 'Length',
  numbers: 'Numbers',
  finding: 'Worded as a finding',
  announcement: 'Worded as an announcement',
  background: 'Worded as background',
};

export interface ExplainedQuoteProps {
  result: ExplainedResult;
  /** The place in the list, from 1. */
  place: number;
}

export function ExplainedQuote({ result: { citation, quote }, place }: ExplainedQuoteProps) {
  const { d, t, q, s, answers, sentences } = citation;
  const id = `result-${place}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>
        {place}. <bdi>{t}</bdi>
      </h2>
      <div class="citation">
        <blockquote>{q}</blockquote>
        <p class="source">
          <span class="mono">{d}</span>, score {s.toFixed(2)}
          {answers === undefined ? null : `, answers with probability ${answers.toFixed(2)}`}
        </p>
      </div>
      {quote?.next === undefined ? (
        <p class="soft">
          {quote === undefined
            ? 'The paper has no abstract, so its title is quoted.'
            : 'The abstract has no other sentence.'}
        </p>
      ) : (
        <>
          <DataTable
            caption="What each feature adds to a sentence, the largest difference first"
            isCompact
            columns={[
              { head: 'Feature' },
              { head: 'Chosen', isNumber: true },
              { head: 'Next best', isNumber: true },
            ]}
            rows={rowsOf(quote, quote.next)}
          />
          <p class="soft">Next best: {sentences?.[1]?.q}</p>
        </>
      )}
    </section>
  );
}

/** A row for each feature that makes a difference, and one for all of them, shown or not. */
function rowsOf(chosen: WeighedSentence, next: WeighedSentence): string[][] {
  const ofNext = sumByLabel(next);
  const rows = [...sumByLabel(chosen)]
    .map(([label, sum]): Row => [label, sum, ofNext.get(label) ?? 0])
    .filter((row) => differenceOf(row) >= DIFFERENCE_MIN)
    .sort((a, b) => differenceOf(b) - differenceOf(a));
  const all: Row = ['All features', totalOf(chosen), totalOf(next)];
  return [...rows, all].map(([label, ...sums]) => [label, ...sums.map(formatDecimal)]);
}

type Row = [label: string, ofChosen: number, ofNext: number];

function differenceOf([, ofChosen, ofNext]: Row): number {
  return Math.abs(ofChosen - ofNext);
}

function sumByLabel({ contributions }: WeighedSentence): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [feature, contribution] of contributions) {
    const label = featureLabels[feature];
    sums.set(label, (sums.get(label) ?? 0) + contribution);
  }
  return sums;
}

function totalOf({ contributions }: WeighedSentence): number {
  return contributions.reduce((sum, [, contribution]) => sum + contribution, 0);
}
