/** The page Explain: what a question finds, why its sentences were chosen, and that no trace is left. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../src/search/search.ts';
import type { Answer } from '../../../src/types.ts';
import { addKey, addSomeone, inStore } from '../../support/history.ts';
import { createClient, useServer } from '../../support/pages.ts';
import { runJson, runVerbatim } from '../../support/verbatim.ts';

const PATH = '/operator/explain';
const QUESTION = 'does sleep help memory';
const ODD = 'zebrafish & "submarines" <script>alert(1)</script>';
const bare = { id: 'test:bare', title: 'Zebrafish of the deep <b>', abstract: '' };
const single = { id: 'test:single', title: 'Deep fish', abstract: 'Submarines met zebrafish.' };

const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: 'ada@example.org', credits: 50 });
    addKey(database, customerId, 'Notebook');
    const records = join(database, '..', 'records.jsonl');
    writeFileSync(records, [bare, single].map((record) => JSON.stringify(record)).join('\n'));
    await runVerbatim(['index', 'add', records, '--db', database]);
  },
  { VERBATIM_OPERATOR: 'true', VERBATIM_KEEP_QUESTIONS: 'true' },
);

const ask = (question: string) =>
  createClient(server.service.operatorUrl).submit(PATH, { question });

/** The text of each match of the pattern's group. */
const allOf = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, text = '']) => text);

/** The rows of each table: the feature, what it adds to the chosen sentence, and to the next best. */
const tablesOf = (html: string): string[][][] =>
  allOf(html, /<tbody>(.*?)<\/tbody>/gs).map((table) =>
    allOf(table, /<tr>(.*?)<\/tr>/gs).map((row) => allOf(row, /<span>([^<]*)<\/span>/g)),
  );

const numberOf = (shown = ''): number => Number(shown.replace('\u2212', '-'));

describe('the page Explain', () => {
  it('has a form, and is linked from the questions', async () => {
    const client = createClient(server.service.operatorUrl);
    expect((await client.get('/operator/questions')).text).toContain(`href="${PATH}">Explain`);
    const { status, text } = await client.get(PATH);
    expect(status).toBe(200);
    expect(text).toContain('name="question"');
    expect(text).not.toContain('<blockquote>');
  });

  it('shows the quotes of a search, and what made them better than the next best', async () => {
    const { results, explanation } = await runJson<Answer & { explanation: Explanation }>([
      ...['search', QUESTION, '--limit', '5', '--answers', '--explain', '--db', server.database],
    ]);
    const { status, text } = await ask(QUESTION);
    expect(status).toBe(200);
    expect(text).toContain(`value="${QUESTION}"`);
    expect(allOf(text, /<blockquote>([^<]*)</g)).toEqual(results.map(({ q }) => q));
    expect(allOf(text, /<span class="mono">([^<]*)</g)).toEqual(results.map(({ d }) => d));
    expect(allOf(text.replaceAll(/<\/?bdi>/g, ''), /<h2 id="result-\d">([^<]*)</g)).toEqual(
      results.map(({ t }, index) => `${index + 1}. ${t}`),
    );
    expect(allOf(text, /answers with probability ([\d.]+)/g)).toEqual(
      // Models without weights for it tell no probability.
      results.flatMap(({ answers }) => answers?.toFixed(2) ?? []),
    );
    const tables = tablesOf(text);
    const totals = explanation.results.map(({ quote }) =>
      [quote, quote?.next].map((sentence) =>
        sentence?.contributions.reduce((sum, [, value]) => sum + value, 0),
      ),
    );
    expect(tables.map((rows) => rows.at(-1)?.slice(1).map(numberOf))).toEqual(
      totals.map((sums) => sums.map((sum) => expect.closeTo(sum ?? Number.NaN, 2))),
    );
    for (const rows of tables) {
      const differences = rows.slice(0, -1).map(([, a, b]) => Math.abs(numberOf(a) - numberOf(b)));
      expect(Math.min(...differences)).toBeGreaterThan(0.03);
      expect(differences[0]).toBeGreaterThan(Math.max(...differences) - 0.02);
    }
    expect(tables.flat().map(([feature]) => feature)).toContain('Near an answer');
  });

  it('shows the next best sentence, which is another one of the same abstract', async () => {
    const { results } = await runJson<Answer>([
      ...['search', QUESTION, '--limit', '5', '--abstract', '--db', server.database],
    ]);
    const next = allOf((await ask(QUESTION)).text, /Next best: ([^<]*)</g);
    for (const [index, { q, ab }] of results.entries()) {
      expect(ab).toContain(next[index]);
      expect(next[index]).not.toBe(q);
    }
  });

  it('shows odd questions and titles as they are, and papers without another sentence', async () => {
    const { text } = await ask(ODD);
    expect(text).toContain('value="zebrafish &amp; &quot;submarines&quot; &lt;script>alert(1)');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('Zebrafish of the deep &lt;b>');
    expect(text).toContain('The paper has no abstract, so its title is quoted.');
    expect(text).toContain('The abstract has no other sentence.');
  });

  it.each([
    ['an empty question', '', 'Empty query.'],
    ['a blank question', ' \u00ad\u200b', 'Empty query.'],
    ['a long question', 'x'.repeat(2049), 'Query too long.'],
  ])('refuses %s beside the field', async (_what, question, why) => {
    const { status, text } = await ask(question);
    expect(status).toBe(400);
    expect(text).toContain(`<p class="wrong" id="question-wrong">${why}</p>`);
    expect(text).toContain(question);
    expect(text).not.toContain('<blockquote>');
  });

  it('leaves no trace of a question', async () => {
    const before = rowCounts();
    await ask(`${ODD} tracelessly`);
    expect(rowCounts()).toEqual(before);
    expect(before['ledger_entries']).toBe(1);
    const { text } = await createClient(server.service.operatorUrl).get('/operator/questions');
    expect(text).toContain('No searches yet');
    const metrics = await (await fetch(`${server.service.metricsUrl}/metrics`)).text();
    for (const kept of [JSON.stringify(server.service.log), metrics]) {
      expect(kept).not.toContain('tracelessly');
    }
    expect(metrics).toMatch(/verbatim_credits_charged_total 0/);
  });
});

/** The rows of each table, except for the one that takes a sample each minute. */
function rowCounts(): Record<string, number> {
  return inStore(server.database, (db) => {
    const names = db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name <> 'server_samples'",
      )
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      names.map((name) => [name, db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get()]),
    ) as Record<string, number>;
  });
}
