/** GET /docs: the documentation of the HTTP API, for everyone. */
import { RichText, Table } from '../components/docs-table.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Snippet } from '../components/snippet.tsx';
import { type Part, sectionsOf } from '../docs/sections.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { View } from '../page/page.ts';

export function docsPage(deps: DashboardDeps): View {
  const sections = sectionsOf(deps.baseUrl(), deps.accounts.settings);
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
              {sections.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
          <div>
            {sections.map(({ id, title, parts }) => (
              <section key={id} id={id}>
                <h2>{title}</h2>
                {parts.map(renderPart)}
              </section>
            ))}
          </div>
        </div>
      </>
    ),
  };
}

function renderPart(part: Part) {
  if (typeof part === 'string') {
    return (
      <p key={part} class="measure">
        <RichText text={part} />
      </p>
    );
  }
  if ('code' in part) return <Snippet key={part.id} {...part} />;
  return <Table key={part.caption} table={part} />;
}
