/**
 * Prints the features of all sentences of the questions that models/questions/assemble.mjs or
 * another script put together with their abstracts, for models/training/fit_weights.py: a JSON line
 * for each question, with its `kinds`, the `sentences` that answer, and the `features` of each sentence by
 * their `names`.
 *
 *   npm run -s measure -- answer-features MODEL CORPUS QUESTIONS
 *
 * MODEL is the folder of an encoder. The document frequencies are those of CORPUS.
 */
import type { TermStatistics } from '../src/index/lexical/term-statistics.ts';
import { encodeTermVector } from '../src/index/lexical/term-vectors.ts';
import { scoreTerms } from '../src/search/candidates.ts';
import { questionKinds, questionKindsOf } from '../src/search/question-kind.ts';
import { featureNames, featureOf } from '../src/search/sentence-features.ts';
import { parseQuery, weightQuery } from '../src/search/weight-query.ts';
import { createEmbedder } from '../src/text/embed/embedder.ts';
import { loadModel } from '../src/text/embed/model.ts';
import { withoutStopStructures } from '../src/text/stop-structures.ts';
import { type Term, termsOf } from '../src/text/terms.ts';
import type { Embedding, SentenceSpan } from '../src/types.ts';
import { linesOf } from './measure/sample.ts';

interface Question {
  question: string;
  title: string;
  texts: string[];
  sentences: number[];
}

const QUERY_TERMS_MAX = 64;

const [modelFolder = '', corpus = '', path = ''] = process.argv.slice(2);
const { queryEncoder, ...encoder } = loadModel(modelFolder);
const queries = await createEmbedder(queryEncoder);
const documents = await createEmbedder(encoder);
const statistics = readStatistics(corpus);
const vectors = new Map<string, Embedding>();
for (const line of linesOf(path)) console.log(JSON.stringify(await featuresOf(JSON.parse(line))));

async function featuresOf({ question, title, texts, sentences }: Question): Promise<object> {
  const { vector, answer = vector } = await queries.embedQuery(question);
  const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
  const embedded = await documents.embedDocuments(missing);
  for (const [at, text] of missing.entries()) vectors.set(text, embedded[at] as Embedding);
  const abstract = texts.join(' ');
  const spans = spansOf(texts);
  const query = weightQuery(
    parseQuery(withoutStopStructures(question), QUERY_TERMS_MAX),
    statistics,
  );
  const { matches } = scoreTerms(encodeTermVector(title, abstract, spans), query);
  const cosinesWith = (one: Embedding): Float64Array =>
    Float64Array.from([0, 0, ...texts.map((text) => product(one, vectors.get(text) as Embedding))]);
  const candidate = { cosines: cosinesWith(vector), answerCosines: cosinesWith(answer), matches };
  const document = { candidate, abstract, spans };
  const features = texts.map((_, at) => featureNames.map((name) => featureOf(name, document, at)));
  const kinds = questionKindsOf(question);
  return { kinds, allKinds: questionKinds, names: featureNames, sentences, features };
}

function spansOf(texts: readonly string[]): SentenceSpan[] {
  let start = 0;
  return texts.map((text) => {
    const span = { start, end: start + text.length };
    start = span.end + 1;
    return span;
  });
}

function product(a: Embedding, b: Embedding): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
}

function readStatistics(file: string): TermStatistics {
  const frequencies = new Map<Term, number>();
  const papers = linesOf(file).map((line) => JSON.parse(line) as { title: string; text: string });
  for (const { title, text } of papers) {
    for (const term of new Set(termsOf(`${title} ${text}`))) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
  }
  return {
    documents: papers.length,
    lengthMean: 1,
    frequencyOf: (term) => frequencies.get(term) ?? 0,
  };
}
