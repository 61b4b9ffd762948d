/** `verbatim search` on the sample, as people and as programs read it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Explanation } from '../../src/search/search.ts';
import { samplePath } from '../../src/settings/bundle.ts';
import type { Answer, SourceDocument } from '../../src/types.ts';
import { plain } from '../support/command-line.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

type Explained = Answer & { explanation: Explanation };

const QUESTION = 'why does a barnacle not live lower on the shore';
/** The default of the setting. */
const CANDIDATES = 150;
const BARNACLES = 'sample:ecology-competition-barnacles';

const sample = new Map(readSample().map((document) => [document.id, document]));

describe('verbatim search --json', () => {
  let answer: Explained;
  beforeAll(async () => {
    answer = await ask([QUESTION, '--explain', '--abstract']);
  });

  it('returns citations with exactly the documented fields', () => {
    expect(answer.n).toBe(10);
    expect(answer.results).toHaveLength(10);
    expect(answer.c).toBeGreaterThan(0.3);
    for (const result of answer.results) {
      expect(Object.keys(result)).toEqual(['d', 't', 'y', 'a', 's', 'q', 'ab', 'src']);
      expect(result).toMatchObject({ src: 'corpus', a: ['Verbatim sample authors'] });
    }
  });

  it('finds the paper and quotes one of its sentences word for word', () => {
    expect(answer.results[0]?.d).toBe(BARNACLES);
    for (const { d, t, q, ab } of answer.results) {
      const document = sample.get(d) as SourceDocument;
      expect([t, ab]).toEqual([document.title, document.abstract]);
      expect(document.abstract).toContain(q);
      expect(q).toMatch(/^\S.*\S$/s);
    }
  });

  it('sorts the results by score', () => {
    const scores = answer.results.map(({ s }) => s);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeLessThanOrEqual(1);
    expect(scores[0]).toBeGreaterThan(scores[9] ?? 1);
  });

  it('explains each result', () => {
    const { words, lexicalCandidates, denseCandidates, results } = answer.explanation;
    expect(words).toEqual(['barnacle', 'live', 'lower', 'shore']);
    expect(lexicalCandidates).toBeGreaterThan(0);
    expect(denseCandidates).toBe(CANDIDATES);
    expect(results.map(({ d }) => d)).toEqual(answer.results.map(({ d }) => d));
    const [best] = results;
    expect(best?.bm25).toBeGreaterThan(0);
    expect(best?.bestCosine).toBeCloseTo(answer.c, 2);
    for (const [i, { score, firstScore, documentCosine }] of results.entries()) {
      expect(score).toBeCloseTo(answer.results[i]?.s ?? Number.NaN, 3);
      expect(firstScore).toBeGreaterThan(0);
      expect(firstScore).toBeLessThanOrEqual(1);
      expect(Math.abs(documentCosine)).toBeLessThanOrEqual(1.01);
    }
  });

  it('returns fewer fields and results if the options ask for fewer', async () => {
    const { explanation: _, results, ...rest } = answer;
    const plain = await ask([QUESTION]);
    expect(plain).toEqual({ ...rest, results: results.map(({ ab: _abstract, ...one }) => one) });
    const short = await ask([QUESTION, '--limit', '2', '--abstract']);
    expect(short).toEqual({ ...rest, n: 2, results: results.slice(0, 2) });
    expect((await ask([QUESTION, '--limit', '-1'])).n).toBe(1);
    expect((await ask([QUESTION, '--limit', '51'])).n).toBe(50);
  });

  it.each([
    ['quotes and operators', '"barnacle" AND (shore OR NOT title: x*) NEAR/3'],
    ['an emoji', '😀'],
    ['Chinese', '藤壶为什么不住在更低的地方'],
    ['only common words', 'to be or not to be'],
    ['a very long question', `${QUESTION} `.repeat(200)],
    ['control characters', 'barnacle\u001b[31m\n\tshore'],
  ])('treats %s as text', async (_, question) => {
    expect((await ask([question])).n).toBe(10);
  });
});

describe('verbatim search', () => {
  it('prints readable results', async () => {
    const args = ['search', QUESTION, '--limit', '2', '--db', inject('sampleIndex')];
    const { stdout, stderr } = await runCommand(args);
    const { results, c } = await ask([QUESTION, '--limit', '2']);
    for (const { d, t, y, s, q } of results) {
      for (const fact of [`${s.toFixed(3)}  ${t} (${y})\n`, `“${q}”\n`, ` · ${d} · corpus\n`]) {
        expect(stdout).toContain(fact);
      }
    }
    expect(stdout).toContain(`\n2 results, corpus confidence ${c}\n`);
    expect(stderr).toBe('');
  });

  it('says that a question is in a language that the model does not read', async () => {
    const question = 'warum wächst die Seepocke nicht weiter unten';
    const args = ['search', question, '--db', inject('sampleIndex')];
    expect((await runCommand(args)).stdout).toMatch(
      /\nThe question is in German, and the model reads English: mostly words find papers\.\n$/,
    );
    expect(await ask([question])).toMatchObject({ question_language: 'de; model=en' });
  });

  it('prints abstracts and an explanation', async () => {
    const { stdout } = await runCommand([
      ...['search', QUESTION, '--limit', '1', '--abstract', '--explain'],
      ...['--db', inject('sampleIndex')],
    ]);
    expect(stdout).toContain(`\n   ${sample.get(BARNACLES)?.abstract}\n`);
    expect(stdout).toContain('\nquery words: barnacle live lower shore\n');
    expect(stdout).toMatch(new RegExp(`\\ncandidates: \\d+ lexical, ${CANDIDATES} dense\\n`));
    expect(stdout).toMatch(
      /\nmilliseconds: embed [\d.]+, words [\d.]+, dense [\d.]+, rank [\d.]+, cite [\d.]+\n/,
    );
    const numbers = String.raw`( \d+\.\d{3}){5}\n`;
    expect(plain(stdout)).toMatch(new RegExp(`\\n${BARNACLES}${numbers}`));
    expect(plain(stdout)).toMatch(new RegExp(`\\n${BARNACLES} \\d [01]\\.\\d\\d answer \\d`));
  });

  it.each([
    ['an empty question', [''], 'empty query'],
    ['a blank question', [' \t'], 'empty query'],
    ['an invisible question', ['\u200b\u00ad\u2800'], 'empty query'],
    ['no results', ['moon', '--limit', '0'], 'limit must be >= 1'],
    ['half a result', ['moon', '--limit', '1.5'], 'must be a whole number'],
  ])('rejects %s', async (_, args, message) => {
    const search = ['search', ...args, '--db', inject('sampleIndex')];
    expect((await runCommand(search, { code: 2 })).stderr).toContain(message);
  });
});

function ask(args: readonly string[]): Promise<Explained> {
  return runCommandJson<Explained>(['search', ...args, '--db', inject('sampleIndex')]);
}

function readSample(): SourceDocument[] {
  return readdirSync(samplePath()).flatMap((name) =>
    readFileSync(join(samplePath(), name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SourceDocument),
  );
}
