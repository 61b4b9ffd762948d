/** GET /docs: the documentation of the HTTP API, for everyone. */
import { DataTable } from '../components/data-table.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Snippet } from '../components/snippet.tsx';
import {
  curlSearch,
  curlUsage,
  healthExample,
  quickStart,
  responseExample,
  usageExample,
} from '../docs/examples.ts';
import {
  connections,
  type DocsTable,
  errors,
  limits,
  requestFields,
  responseFields,
  responseHeaders,
} from '../docs/tables.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { View } from '../page/page.ts';

const sections: readonly (readonly [id: string, label: string])[] = [
  ['start', 'Quick start'],
  ['search', 'Search'],
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
          answers it best, word for word. A search costs one credit.
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
                The server checks them in the order 401, 429, 415, 413, 400, 402, 503. Wait the
                number of seconds in <code>Retry-After</code> before you retry.
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

function QuickStart({ base }: { base: string }) {
  return (
    <section id="start">
      <h2>Quick start</h2>
      <p class="measure">
        Create a key on the page <a href="/dashboard/keys">Keys</a>. Keep it in an environment
        variable or a secret manager, never in code. Every <code>/v1/</code> endpoint requires it as{' '}
        <code>Authorization: Bearer sk_live_...</code>
      </p>
      {quickStart(base).map((example) => (
        <Snippet key={example.id} {...example} />
      ))}
    </section>
  );
}

function Search({ base }: { base: string }) {
  return (
    <section id="search">
      <h2>Search</h2>
      <p class="measure">
        Send <code>POST /v1/search</code> with <code>Content-Type: application/json</code>. Fields
        that are not in this table are ignored.
      </p>
      <Table table={requestFields} />
      <Snippet id="search-request" label="Request" code={curlSearch(base)} />
      <Snippet id="search-response" label="Response (shortened)" code={responseExample} />
      <Table table={responseFields} />
      <Table table={responseHeaders} />
    </section>
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
        <Snippet id="usage-request" label="Request" code={curlUsage(base)} />
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

function Table({ table }: { table: DocsTable }) {
  return (
    <DataTable
      caption={table.caption}
      columns={table.heads.map((head) => ({ head: capitalized(head) }))}
      rows={table.rows.map((row) => row.map((cell) => <RichText key={cell} text={cell} />))}
      isProse
    />
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Links in the tables lead to sections of the README files. */
const LINK = /\[([^\]]+)\]\([^)]+\)/g;

/** Renders text with code between backticks. */
export function RichText({ text }: { text: string }) {
  const pieces = text.replace(LINK, '$1').split('`');
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? <code key={String(index)}>{piece}</code> : piece,
      )}
    </>
  );
}
