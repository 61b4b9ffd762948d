/** GET /docs: the documentation of the HTTP API, for everyone. */
import { RichText, Table } from '../components/docs-table.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Snippet } from '../components/snippet.tsx';
import { type Example, type RequestLanguage, requestLanguages } from '../docs/examples.ts';
import { type Part, sectionsOf } from '../docs/sections.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { PageCall, View } from '../page/page.ts';

/** Shows requests in the language `in` of the address, else with curl. */
export function docsPage(deps: DashboardDeps, call: PageCall): View {
  const asked = call.query.get('in') ?? '';
  const language = asked in requestLanguages ? (asked as RequestLanguage) : 'sh';
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
            <p class="switch">
              {Object.entries(requestLanguages).map(([name, label]) => (
                <a
                  key={name}
                  href={`/docs?in=${name}`}
                  aria-current={name === language ? 'true' : undefined}
                >
                  {label}
                </a>
              ))}
            </p>
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
                <h2>
                  <a href={`#${id}`}>{title}</a>
                </h2>
                {parts.filter((part) => isShown(part, parts, language)).map(renderPart)}
              </section>
            ))}
          </div>
        </div>
      </>
    ),
  };
}

/** A request is shown in one language, or in the one that it has. */
function isShown(part: Part, parts: readonly Part[], language: RequestLanguage): boolean {
  if (!isRequest(part)) return true;
  return part.language === (parts.filter(isRequest).length === 1 ? part.language : language);
}

function isRequest(part: Part): part is Example {
  return typeof part !== 'string' && 'code' in part && part.language !== 'json';
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
