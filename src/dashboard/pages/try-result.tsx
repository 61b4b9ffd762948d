/**
 * GET /dashboard/try/NAME: shows the result of a search or of a check from Try it. Charges it when
 * the page was sent.
 */

import { VerbatimError } from '../../errors.ts';
import { isClose } from '../../search/is-close.ts';
import { type CitationLists, citationListNames } from '../../search/papers/citation-lists.ts';
import type { DescribedPapers } from '../../search/papers/describe-paper.ts';
import { describeUnread } from '../../search/question-language.ts';
import type { Answer, Citation } from '../../types.ts';
import { CitedSentence } from '../components/cited-sentence.tsx';
import { Empty } from '../components/empty.tsx';
import { formatCount, formatCounted } from '../components/format-values.ts';
import { Notice } from '../components/notice.tsx';
import { Snippet } from '../components/snippet.tsx';
import { loadTex } from '../components/tex-text.tsx';
import { TryForm } from '../components/try-form.tsx';
import { TryHead } from '../components/try-head.tsx';
import { searchInCode } from '../docs/examples.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { usableKeys } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import type { TriedSearch } from '../page/tried-searches.ts';
import { countFilters, requestOf } from '../page/try-fields.ts';
import { referencesView } from './try-references-result.tsx';

/** Papers of a list of citations that a result shows. */
const ENTRIES_SHOWN = 10;

/** Throws `not_found` for what another customer tried, and after it expired. */
export async function tryResultPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const { id: customerId } = call.session.customer;
  const tried = deps.tried.get(customerId, call.parameters['name'] ?? '');
  if (tried === undefined) throw new VerbatimError('not_found');
  const view =
    'text' in tried ? await referencesView(deps, call, tried) : await searchView(deps, call, tried);
  return { ...view, ...(call.request.method === 'GET' ? { onSent: tried.onShown } : {}) };
}

async function searchView(
  deps: DashboardDeps,
  call: CustomerCall,
  tried: TriedSearch,
): Promise<View> {
  const answer = JSON.parse(tried.response.body) as Answer;
  const [keys, lists] = await Promise.all([
    usableKeys(deps, call.session.customer.id),
    citationsOf(deps, answer),
    loadTex(),
  ]);
  return {
    // The characters isolate what was asked from what the browser adds.
    title: `Results for “\u2068${shorten(tried.entered.query ?? '')}\u2069”`,
    main: (
      <>
        <TryHead path="/dashboard/try" />
        <TryForm token={call.formToken()} keys={keys} entered={tried.entered} />
        <section class="stack" aria-label="Results">
          {tried.unread === undefined ? null : (
            <Notice tone="plain">
              <p>{describeUnread(tried.unread)}</p>
            </Notice>
          )}
          <Results
            answer={answer}
            lists={lists}
            isWeak={!isClose(answer.c, deps.accounts.settings)}
            hasFilters={countFilters(tried.entered) > 0}
          />
          <Figures tried={tried} answer={answer} />
        </section>
        <RequestAndResponse tried={tried} answer={answer} base={deps.baseUrl()} />
      </>
    ),
  };
}

/** What the papers of the index cite and who cites them, by their ids. None while the index cannot say it. */
async function citationsOf(
  { service }: DashboardDeps,
  { results }: Answer,
): Promise<ReadonlyMap<string, CitationLists>> {
  const ids = results.flatMap(({ d, src }) => (src === 'corpus' ? d : []));
  const lists = { names: citationListNames, most: ENTRIES_SHOWN };
  try {
    const { text } = await service.findPapers({ ids, format: 'json', lists });
    const { papers } = JSON.parse(text) as DescribedPapers;
    return new Map(papers.map((paper) => [paper.d, paper]));
  } catch (error) {
    if (error instanceof VerbatimError) return new Map();
    throw error;
  }
}

interface ResultsProps {
  answer: Answer;
  lists: ReadonlyMap<string, CitationLists>;
  /** Whether the index has nothing close to the question. */
  isWeak: boolean;
  hasFilters: boolean;
}

function Results({ answer: { n, results }, lists, isWeak, hasFilters }: ResultsProps) {
  if (n === 0) {
    return (
      <Empty title="No results">
        <p>
          {hasFilters
            ? 'No paper passes these filters and has anything to do with the question.'
            : 'The index has nothing close to this. Try other words or a broader question.'}
        </p>
      </Empty>
    );
  }
  const numbered = results.map((citation, index) => ({ citation, place: index + 1 }));
  if (!isWeak) return <Citations numbered={numbered} lists={lists} />;
  // What lanes found was searched for because the index has nothing close.
  const fromLanes = numbered.filter(({ citation }) => citation.src !== 'corpus');
  const fromIndex = numbered.filter(({ citation }) => citation.src === 'corpus');
  return (
    <>
      <Notice tone="plain">
        <p>
          <strong>The index has nothing close to this.</strong>{' '}
          {fromLanes.length > 0
            ? 'These results are from elsewhere.'
            : 'Try other words or a broader question.'}
        </p>
      </Notice>
      {fromLanes.length === 0 ? null : <Citations numbered={fromLanes} lists={lists} />}
      {fromIndex.length === 0 ? null : (
        <details>
          <summary>Show {formatCounted(fromIndex.length, 'weak result')}</summary>
          <Citations numbered={fromIndex} lists={lists} />
        </details>
      )}
    </>
  );
}

interface CitationsProps extends Pick<ResultsProps, 'lists'> {
  numbered: readonly { citation: Citation; place: number }[];
}

function Citations({ numbered, lists }: CitationsProps) {
  return (
    <ol class="citations">
      {numbered.map(({ citation, place }) => (
        <li key={citation.d} class="citation" value={place}>
          <CitedSentence citation={citation} place={place} lists={lists.get(citation.d)} />
        </li>
      ))}
    </ol>
  );
}

/** What the search cost and returned, in one line. */
function Figures({ tried, answer }: { tried: TriedSearch; answer: Answer }) {
  const { headers } = tried.response;
  const balance = Number(headers['X-Credit-Balance']);
  const tokens = Number(headers['X-Token-Budget']);
  return (
    <p class="small soft">
      {formatCounted(answer.n, 'result')} with the key “<bdi>{tried.keyName}</bdi>” · 1 credit,{' '}
      {formatCount(balance)} left · about {formatCounted(tokens, 'token')} · confidence{' '}
      {answer.c.toFixed(2)}
    </p>
  );
}

interface RequestAndResponseProps {
  tried: TriedSearch;
  answer: Answer;
  base: string;
}

function RequestAndResponse({ tried, answer, base }: RequestAndResponseProps) {
  const asked = requestOf(tried.entered);
  const request = JSON.stringify(asked, null, 2);
  // What the shown request returns: see `tryForm`.
  const response = JSON.stringify(
    answer,
    (name, value) => (name === 'answers' ? undefined : value),
    2,
  );
  const views = [
    ...searchInCode(base, asked),
    { id: 'request', label: 'Request as JSON', code: request },
    { id: 'response', label: 'Response as JSON', code: response },
  ];
  return (
    <section class="stack tight" aria-label="Request and response">
      <div class="more">
        {views.map(({ id, label, code }) => (
          <details key={id} name="request">
            <summary>{label}</summary>
            <Snippet id={id} label={label} code={code} isWrapped isLabelHidden />
          </details>
        ))}
      </div>
      <p class="small soft">
        Request <span class="mono">{tried.requestId}</span>, key <code>{tried.keyPrefix}</code>
      </p>
    </section>
  );
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text;
}
