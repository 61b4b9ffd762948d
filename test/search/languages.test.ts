/**
 * Papers and questions in German, French, and Chinese, translated from the sample: an index with a tiny
 * multilingual model of random weights. What is tested is therefore only what words find.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/database/open.ts';
import { openIndex } from '../../src/index/open/open-index.ts';
import type { IndexSource } from '../../src/index/ports/index-source.ts';
import { verifyIndex } from '../../src/index/verify/verify-index.ts';
import { matchQuery } from '../../src/search/match-query.ts';
import { readSettings } from '../../src/settings/config.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import { scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const fixtures = resolve(import.meta.dirname, '../fixtures');

interface Translated {
  id: string;
  title: string;
  abstract: string;
  question: string;
}

const languages = ['de', 'fr', 'zh'] as const;
const translated = Object.fromEntries(
  languages.map((language) => {
    const lines = readFileSync(join(fixtures, 'languages', `${language}.jsonl`), 'utf8');
    const papers = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Translated);
    return [language, papers.map((paper) => ({ ...paper, id: `${language}:${paper.id}` }))];
  }),
) as Record<(typeof languages)[number], Translated[]>;

let model: string;
let db: string[];
let source: IndexSource;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-languages-'));
  model = join(folder, 'model');
  db = ['--db', join(folder, 'verbatim.db')];
  cpSync(join(fixtures, 'models/xlm-roberta-mean'), model, { recursive: true });
  await runCommandJson(['model', 'add', model, '--languages', 'multilingual', ...db]);
  const papers = languages.flatMap((language) => translated[language]);
  await writeFiles(folder, {
    'papers.jsonl': papers.map(({ question: _, ...paper }) => JSON.stringify(paper)).join('\n'),
  });
  await runCommandJson(['index', 'add', join(folder, 'papers.jsonl'), '--model', model, ...db]);
  const limits = readSettings({}, {});
  const store = { path: join(folder, 'verbatim.db'), lockWaitMs: 60_000 };
  source = await (await openIndex(store)).source({ limits, model: loadModel(model) });
  return async () => {
    await source.close();
    rmSync(folder, { recursive: true });
  };
});

/** The ids of the papers that words find, the one with the largest weight first. */
function idsFor(question: string): Promise<string[]> {
  return source.view(async (view) => {
    const { matches } = await matchQuery(question, view, { queryTermsMax: 64 });
    const order = [...matches.documents.keys()].sort(
      (a, b) => (matches.weights[b] as number) - (matches.weights[a] as number),
    );
    const numbers = order.map((at) => matches.documents[at] as number);
    return (await view.documents(numbers)).flatMap((document) => document?.id ?? []);
  });
}

describe('words alone', () => {
  it.each([
    ['de', []],
    // "répartir" is not "réparti", and another paper has "vaut".
    ['fr', ['fr:sample:psychology-spacing-effect']],
    ['zh', []],
  ] as const)('find the paper of a question in %s first, except %j', async (language, others) => {
    const papers = translated[language];
    expect(papers.length).toBe(60);
    const missed: string[] = [];
    for (const { id, question } of papers) {
      const [first] = await idsFor(question);
      if (first !== id) missed.push(id);
    }
    expect(missed).toEqual(others);
  });

  it('find English papers by names and by words as English stems them', async () => {
    expect(await idsFor('癌')).toEqual([]);
    expect((await idsFor('Zellen von O’Keefe und Dostrovsky'))[0]).toMatch(/place-cells$/);
  });

  it('find nothing in scripts that no paper has, of any length', async () => {
    for (const question of [
      'โรคมะเร็งคืออะไร',
      'ما هو الماء؟',
      '😀',
      '\ud842',
      '龘'.repeat(10_000),
    ]) {
      expect(await idsFor(question)).toEqual([]);
    }
  });
});

describe('a search', () => {
  const question = 'Wie viele Prozesse dürfen bei Paxos abstürzen?';

  it('quotes a sentence, and says nothing of the language to a multilingual model', async () => {
    const search = ['search', question, '--limit', '60', ...db];
    const { stdout } = await runCommand([...search, '--model', model]);
    expect(stdout).toContain('Paxos');
    expect(stdout).not.toContain('The question is in');
  });

  it('says that a model reads English', async () => {
    const english = join(await scratchFolder(), 'model');
    cpSync(model, english, { recursive: true });
    const added = await runCommand(['model', 'add', english, ...db]);
    expect(added.stdout).toContain('it reads en; say so with --languages');
    const ask = async (asked: string, ...options: string[]) =>
      (await runCommand(['search', asked, '--model', english, ...db, ...options])).stdout;
    expect(await ask(question)).toContain('The question is in German, and the model reads English');
    expect(await ask('ما هو الماء؟')).toContain('is in another language');
    expect(await ask('how many processes may crash')).not.toContain('The question is in');
    const german = ['model', 'add', english, '--languages', 'German,eng', '--json', ...db];
    expect(await runCommandJson(german)).toMatchObject({ manifest: { languages: ['de', 'en'] } });
    expect(await ask(question)).not.toContain('The question is in');
    expect(await ask('光合作用')).toContain('is in Chinese, and the model reads German, English');
  });

  it('takes no languages that are none', async () => {
    const { stderr } = await runCommand(['model', 'add', model, '--languages', 'klingonisch'], {
      code: 2,
    });
    expect(stderr).toContain('Codes of languages');
  });
});

describe('the index', () => {
  it('is sound, also with terms as version 0.2.0 made them', () => {
    const store = openStore({ path: db[1] as string, lockWaitMs: 60_000 });
    expect(verifyIndex(store, { problemsMax: 10 }).problems).toEqual([]);
    store.close();
  });
});
