/**
 * GET /dashboard/try/NAME: shows the result of a search from Try it. Charges it when the page was
 * sent.
 */

import { VerbatimError } from '../../errors.ts';
import type { Answer } from '../../types.ts';
import { CitedSentence } from '../components/cited-sentence.tsx';
import { Empty } from '../components/empty.tsx';
import { formatCount, formatCounted } from '../components/format.ts';
import { PageHead } from '../components/page-head.tsx';
import { Snippet } from '../components/snippet.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../page/page.ts';
import type { TriedSearch } from '../page/tried-searches.ts';

/** Throws `not_found` for another customer's search and after it expired. */
export function tryResultPage(deps: DashboardDeps, call: CustomerCall): View {
  const name = call.parameters['name'] ?? '';
  const tried = deps.tried.get(call.session.customer.id, name);
  if (tried === undefined) throw new VerbatimError('not_found');
  return {
    title: `Results for “${shorten(tried.query)}”`,
    main: <Result tried={tried} base={deps.baseUrl()} />,
    ...(call.request.method === 'GET' ? { onSent: tried.onShown } : {}),
  };
}

function Result({ tried, base }: { tried: TriedSearch; base: string }) {
  const found = JSON.parse(tried.response.body) as Answer;
  const request = JSON.stringify(
    { query: tried.query, limit: tried.limit, fields: 'abstract' },
    null,
    2,
  );
  return (
    <>
      <PageHead
        title={tried.query}
        action={
          <a class="button" href="/dashboard/try">
            Another search
          </a>
        }
      >
        {formatCounted(found.n, 'result')} with the key “{tried.keyName}”.
      </PageHead>
      <dl class="tiles">
        <Tile label="Cost" value="1" note="credit" />
        <Tile
          label="New balance"
          value={formatCount(Number(tried.response.headers['X-Credit-Balance']))}
          note="credits"
        />
        <Tile
          label="Estimated tokens"
          value={formatCount(Number(tried.response.headers['X-Token-Budget']))}
          note="in the response"
        />
        <Tile label="Corpus confidence" value={found.c.toFixed(3)} note="out of 1" />
      </dl>
      {found.n === 0 ? (
        <Empty title="No results">
          <p>
            The index has nothing close to this question. Try other words or a broader question.
          </p>
        </Empty>
      ) : (
        <ol class="citations">
          {found.results.map((citation, index) => (
            <li key={citation.d} class="citation">
              <CitedSentence citation={citation} isOpen={index === 0} />
            </li>
          ))}
        </ol>
      )}
      <section class="stack" aria-labelledby="request-and-response">
        <h2 id="request-and-response">Request and response</h2>
        <Snippet id="request" label={`POST ${base}/v1/search`} code={request} />
        <Snippet id="response" label="Response" code={JSON.stringify(found, null, 2)} isWrapped />
        <p class="small soft">
          Request <span class="mono">{tried.requestId}</span>, key <code>{tried.keyPrefix}</code>
        </p>
      </section>
    </>
  );
}

function Tile({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class="figure">{value}</dd>
      <dd class="small soft">{note}</dd>
    </div>
  );
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text;
}
