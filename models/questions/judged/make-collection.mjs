#!/usr/bin/env node
/**
 * Makes a test collection in BEIR's form of the judged questions in answers.jsonl, for
 * `verbatim eval --evidence`: the papers that answer them, among others of the same corpora.
 *
 *   node models/questions/judged/make-collection.mjs CORPORA OUT
 *
 * CORPORA is the folder with papers.jsonl.gz and arxiv.jsonl.gz. OUT gets corpus.jsonl,
 * queries.jsonl, qrels.tsv and evidence.jsonl. One paper in OTHERS_DISTANCE is among the others.
 */
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { importSource } from '../../../scripts/import-source.mjs';

const OTHERS_DISTANCE = 80;

const [corpora, out] = process.argv.slice(2);
if (out === undefined) {
  console.error('usage: node models/questions/judged/make-collection.mjs CORPORA OUT');
  process.exit(2);
}
const { sentencesOf } = await importSource('src/text/quotable.ts');
const answers = parseLines(await readFile(new URL('answers.jsonl', import.meta.url), 'utf8'));
const judged = new Map(answers.map((answer, at) => [answer.id, { ...answer, query: String(at) }]));
const files = { corpus: [], queries: [], evidence: [], qrels: ['query-id\tcorpus-id\tscore'] };
for (const corpus of ['papers', 'arxiv']) {
  let at = 0;
  for await (const line of linesOf(join(corpora, `${corpus}.jsonl.gz`))) {
    const paper = JSON.parse(line);
    const answer = judged.get(paper.id);
    if (answer?.corpus === corpus) addAnswer(paper, answer);
    if (answer !== undefined || at % OTHERS_DISTANCE === 0) addPaper(paper);
    at++;
  }
}
await mkdir(out, { recursive: true });
for (const [name, lines] of Object.entries(files)) {
  const extension = name === 'qrels' ? 'tsv' : 'jsonl';
  await writeFile(join(out, `${name}.${extension}`), `${lines.join('\n')}\n`);
}
console.log(`${files.queries.length} questions, ${files.corpus.length} papers`);

function addPaper({ id, title, abstract }) {
  files.corpus.push(JSON.stringify({ _id: id, title, text: abstract }));
}

function addAnswer({ id, abstract }, { query, question, sentences }) {
  const all = sentencesOf(abstract).map(({ start, end }) => abstract.slice(start, end));
  const marked = sentences.map((number) => all[number]);
  files.queries.push(JSON.stringify({ _id: query, text: question }));
  files.qrels.push(`${query}\t${id}\t1`);
  files.evidence.push(JSON.stringify({ query_id: query, doc_id: id, sentences: marked }));
}

function parseLines(text) {
  return text.trimEnd().split('\n').map(JSON.parse);
}

function linesOf(path) {
  return createInterface({ input: createReadStream(path).pipe(createGunzip()) });
}
