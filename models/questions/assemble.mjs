#!/usr/bin/env node
/**
 * Puts the questions of this folder together with the abstracts, which are not part of the project.
 *
 *   node models/questions/assemble.mjs SHARED OUT
 *
 * SHARED has corpora/papers.jsonl.gz, corpora/arxiv.jsonl.gz, benchmarks/scifact, and
 * benchmarks/pubmedqa. OUT gets training.jsonl, development.jsonl, scifact.jsonl, and pubmedqa.jsonl, the
 * questions with title and sentences, corpus.jsonl, some 15,000 papers among which the development questions
 * are asked, and judged.jsonl, the papers that the judged questions ask for besides. It refuses a question of ours about a reserved paper, or about one with the
 * normalized title of a reserved paper.
 */
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { importSource } from '../../scripts/import-source.mjs';
import { hashOf, isReserved, normalizedTitle } from './reserved.mjs';

const FILES = {
  papers: 'corpora/papers.jsonl.gz',
  arxiv: 'corpora/arxiv.jsonl.gz',
  scifact: 'benchmarks/scifact/corpus.jsonl.gz',
};
/** All papers of SciFact are in corpus.jsonl, and those of the others whose hash begins with this digit. */
const OTHERS_DIGIT = '1';

const [shared, out] = process.argv.slice(2);
if (out === undefined) {
  console.error('usage: node models/questions/assemble.mjs SHARED OUT');
  process.exit(2);
}
const { sentencesOf } = await importSource('src/text/quotable.ts');
const questions = {};
for (const name of ['training', 'development']) questions[name] = await questionsIn(name);
const keyOf = ({ corpus, id }) => `${corpus}:${id}`;
const training = new Set(questions.training.map(keyOf));
const development = new Set(questions.development.map(keyOf));
const judged = new Set((await questionsIn('judged')).map(keyOf));
const asked = new Map();
const reservedTitles = new Set();
const [corpus, others] = [[], []];
for (const [name, file] of Object.entries(FILES)) {
  for await (const line of linesIn(join(shared, file))) addPaper(name, JSON.parse(line));
}
await mkdir(out, { recursive: true });
await write('corpus', corpus);
await write('judged', others);
for (const [name, all] of Object.entries(questions)) await write(name, all.map(withText));

for (const name of ['scifact', 'pubmedqa']) await write(name, await annotated(name));

function addPaper(corpusName, { id, _id, title, abstract, text }) {
  const key = `${corpusName}:${id ?? _id}`;
  const paper = { _id: key, title, text: abstract ?? text };
  if (isReserved(key)) reservedTitles.add(normalizedTitle(title));
  if (training.has(key) || development.has(key)) asked.set(key, paper);
  const isOther = corpusName === 'scifact' || hashOf(key).startsWith(OTHERS_DIGIT);
  if (isOther || development.has(key)) corpus.push(paper);
  else if (judged.has(key)) others.push(paper);
}

async function questionsIn(name) {
  return parseLines(await readFile(new URL(`${name}.jsonl`, import.meta.url), 'utf8'));
}

function linesIn(path) {
  return createInterface({ input: createReadStream(path).pipe(createGunzip()) });
}

function parseLines(text) {
  return text.trimEnd().split('\n').map(JSON.parse);
}

function withText(question) {
  const key = keyOf(question);
  const { title, text } = asked.get(key) ?? fail(`${key}: no such paper`);
  if (isReserved(key) || reservedTitles.has(normalizedTitle(title))) fail(`${key} is reserved`);
  const texts = sentencesOf(text).map(({ start, end }) => text.slice(start, end));
  if (question.sentences.some((number) => number >= texts.length)) fail(`${key}: no such sentence`);
  return { ...question, title, texts };
}

/** The annotated questions of a benchmark in the form of ours. */
async function annotated(name) {
  const folder = join(shared, 'benchmarks', name);
  const read = async (file) => parseLines(await readFile(join(folder, file), 'utf8'));
  const queries = new Map((await read('queries.train.jsonl')).map(({ _id, text }) => [_id, text]));
  const papers = new Map();
  for await (const line of linesIn(join(folder, 'corpus.jsonl.gz'))) {
    const { _id, title, text } = JSON.parse(line);
    papers.set(String(_id), { title: title ?? '', text });
  }
  return (await read('evidence.train.jsonl')).flatMap((evidence) => {
    const { title, text } = papers.get(String(evidence.doc_id));
    const texts = sentencesOf(text).map(({ start, end }) => text.slice(start, end));
    const isMarked = (one) => evidence.sentences.some((marked) => isWithin(one, marked));
    const sentences = texts.flatMap((one, at) => (isMarked(one) ? [at] : []));
    const question = queries.get(String(evidence.query_id));
    const id = String(evidence.doc_id);
    return sentences.length === 0 ? [] : [{ question, form: name, corpus: name, id, sentences, title, texts }];
  });
}

/** Annotators may split elsewhere than we do, so a sentence within the other counts as the same. */
function isWithin(one, other) {
  const [a, b] = [one, other].map((text) => text.replace(/\s+/g, ' ').trim());
  return a.includes(b) || b.includes(a);
}

async function write(name, rows) {
  await writeFile(join(out, `${name}.jsonl`), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  console.log(`${name}: ${rows.length}`);
}

function fail(message) {
  throw new Error(message);
}
