/** GET /docs: the documentation of the HTTP API, for everyone. */
import { Table } from '../components/docs-table.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Snippet, Snippets } from '../components/snippet.tsx';
import {
  batchExample,
  curlFilter,
  curlSearch,
  healthExample,
  quickStart,
  requestExamples,
  responseExample,
  usageExample,
} from '../docs/examples.ts';
import {
  connections,
  errors,
  filterFields,
  limits,
  outcomeFields,
  requestFields,
  responseFields,
  responseHeaders,
} from '../docs/tables.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { View } from '../page/page.ts';
import { LookUps } from './docs-look-ups.tsx';

const sections: readonly (readonly [id: string, label: string])[] = [
  ['start', 'Quick start'],
  ['search', 'Search'],
  ['batch', 'Batch'],
  ['repeats', 'Repeats'],
  ['filters', 'Filters'],
  ['verify', 'Verify'],
  ['papers', 'Papers'],
  ['similar', 'Similar papers'],
  ['usage', 'Usage'],
  ['health', 'Health'],
  ['errors', 'Errors'],
  ['limits', 'Limits'],
  ['connections', 'Connections'],
];

export function docsPage(deps: DashboardDeps): View {
  const base = deps.baseUrl();
  return {
    title: 'Documentation',
    main: (
      <>
        <PageHead title="Documentation">
          Ask a question in plain words. For each relevant paper you get the one sentence that
          answers it best, word for word. A search costs one credit. For programs, the same is in{' '}
          <a href="/openapi.json">OpenAPI 3.1</a> and as <a href="/llms.txt">plain text</a>.
        </PageHead>
        <div class="docs">
          <nav aria-label="On this page">
            <ul>
              {sections.map(([id, label]) => (
                <li key={id}>
                  <a href={`#${id}`}>{label}</a>
                </li>
              ))}
            </ul>
          </nav>
          <div>
            <QuickStart base={base} />
            <Search base={base} />
            <BatchAndRepeats base={base} />
            <Filters base={base} />
            <LookUps base={base} />
            <UsageAndHealth base={base} />
            <section id="errors">
              <h2>Errors</h2>
              <p class="measure">
                An error is a short plain text. Programs should read the code in{' '}
                <code>X-Error-Code</code>, because two errors may share a status and a message, but
                not a code. A client that names <code>application/problem+json</code> in{' '}
                <code>Accept</code> gets problem details (RFC 9457). Only a search that has started
                affects the balance, and the credit is returned if it fails.
              </p>
              <Table table={errors} />
              <p class="measure">
                The server checks them in the order 401, 429, 406, 415, 413, 400, 409 or 422, 402,
                503. Wait the number of seconds in <code>Retry-After</code> before you retry.
              </p>
            </section>
            <section id="limits">
              <h2>Limits</h2>
              <Table table={limits(deps.accounts.settings)} />
              <p class="measure">
                A key may have its own rate and its own number of searches in flight. The headers
                show the values in force.
              </p>
            </section>
            <section id="connections">
              <h2>Connections</h2>
              <Table table={connections} />
            </section>
          </div>
        </div>
      </>
    ),
  };
}

function Filters({ base }: { base: string }) {
  return (
    <section id="filters">
      <h2>Filters</h2>
      <p class="measure">
        The field <code>filter</code> of a search is an object. A paper must match all of its
        fields; of several names in a field, one is enough. The search looks only among the papers
        that match, so <code>c</code> and the scores are about them, and there are as many results
        as without a filter if so many papers match. An unknown field, type, or value is an error.
      </p>
      <Table table={filterFields} />
      <Snippet id="filter-request" label="Request with curl" code={curlFilter(base)} />
    </section>
  );
}

function QuickStart({ base }: { base: string }) {
  return (
    <section id="start">
      <h2>Quick start</h2>
      <p class="measure">
        Create a key on the <a href="/dashboard/keys">Keys</a> page. Keep it in an environment
        variable or a secret manager, never in code. Every <code>/v1/</code> endpoint requires it as{' '}
        <code>Authorization: Bearer sk_live_...</code>
      </p>
      <Snippets examples={quickStart(base)} />
    </section>
  );
}

function Search({ base }: { base: string }) {
  return (
    <section id="search">
      <h2>Search</h2>
      <p class="measure">
        Send <code>POST /v1/search</code> with <code>Content-Type: application/json</code>. Any
        other field is an error that names it.
      </p>
      <Table table={requestFields} />
      <Snippet id="search-request" label="Request with curl" code={curlSearch(base)} />
      <Snippet id="search-response" label="Response (shortened)" code={responseExample} />
      <Table table={responseFields} />
      <Table table={responseHeaders} />
    </section>
  );
}

function BatchAndRepeats({ base }: { base: string }) {
  return (
    <>
      <section id="batch">
        <h2>Batch</h2>
        <p class="measure">
          <code>POST /v1/search/batch</code> takes up to 32 questions, each an object as the body of
          a search. Each has an outcome of its own, in the order of the questions, and costs one
          credit if it has an answer.
        </p>
        <Snippets examples={requestExamples('batch', base)} />
        <Snippet id="batch-response" label="Response (shortened)" code={batchExample} />
        <Table table={outcomeFields} />
      </section>
      <section id="repeats">
        <h2>Repeats</h2>
        <p class="measure">
          Send <code>Idempotency-Key</code> with any paid <code>POST</code>, a new one for each
          request. If the connection breaks, send the same request with the same key again: within
          24 hours you get the same answer and do not pay twice. Such a request is charged even if
          you are gone before the answer, because its repeat is answered. Failed requests are not
          stored; their repeat tries again.
        </p>
        <Snippets examples={requestExamples('repeats', base)} />
      </section>
    </>
  );
}

function UsageAndHealth({ base }: { base: string }) {
  return (
    <>
      <section id="usage">
        <h2>Usage</h2>
        <p class="measure">
          <code>GET /v1/usage</code> returns what the key has used in this calendar month (UTC), net
          of refunds, and the balance. It is free.
        </p>
        <Snippets examples={requestExamples('usage', base)} />
        <Snippet id="usage-response" label="Response" code={usageExample} />
      </section>
      <section id="health">
        <h2>Health</h2>
        <p class="measure">
          <code>GET /health</code> returns 200 while the service is ready, and 503 while it starts
          or stops. It is the only endpoint without a key.
        </p>
        <Snippet id="health-response" label="Response" code={healthExample} />
      </section>
    </>
  );
}
