/** The bundled model, compared with the vectors of its fp32 original and with itself. */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledModelPath } from '../../../src/settings/bundle.ts';
import { createEmbedder, type Embedder } from '../../../src/text/embed/embedder.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import type { Embedding } from '../../../src/types.ts';
import { cosine, scratchFolder, writeFiles } from '../../ingest/index-files.ts';

/** The least cosine with the fp32 original that rounding to int8 may leave. */
const MEAN_COSINE_MIN = 0.99;
const TEXTS = [
  'Tides',
  'The moon pulls the sea, and twice a day the water rises along the shore.',
  'Yeast cells stop dividing when nitrogen runs out.',
  'A b-tree keeps its keys sorted, so that a range is read in one go.',
  '土壤含碳。',
  'p < 0.05; 95% CI, 1.1 to 1.4',
  '😀',
  '',
];

let embedder: Embedder;

beforeAll(async () => {
  embedder = await createEmbedder(loadModel(''));
});

describe('the int8 model', () => {
  it('produces nearly the vectors of the fp32 original', async () => {
    const references = await readReferences();
    expect(references.length).toBeGreaterThanOrEqual(20);
    const vectors = await embedder.embedDocuments(references.map(({ text }) => text));
    expectNear(
      references.map(({ vector }) => vector),
      vectors,
    );
  });

  it('produces nearly the answers of the fp32 original', async () => {
    const references = await readReferences();
    const answers: Embedding[] = [];
    for (const { text } of references) {
      const { answer } = await embedder.embedQuery(text);
      answers.push(answer as Embedding);
    }
    expectNear(
      references.map(({ answer }) => answer),
      answers,
    );
  });

  it('embeds similar meanings nearer to each other than different ones', async () => {
    const [question, answer, other] = (await embedder.embedDocuments([
      'what makes the ocean rise and fall every day',
      TEXTS[1] as string,
      TEXTS[3] as string,
    ])) as [Embedding, Embedding, Embedding];
    expect(cosine(question, answer)).toBeGreaterThan(0.4);
    expect(cosine(question, other)).toBeLessThan(0.2);
  });
});

describe('createEmbedder', () => {
  it('returns unit vectors of the model’s dimensions', async () => {
    for (const vector of await embedder.embedDocuments(TEXTS)) {
      expect(vector).toHaveLength(384);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
  });

  it('returns the same vector for a text alone, in a batch and as a query', async () => {
    // More than one run of the model, for texts of equal and of different lengths.
    const texts = Array.from(
      { length: 60 },
      (_, i) => `${TEXTS[i % TEXTS.length]}${' more'.repeat(i % 20)}`,
    );
    const batch = await embedder.embedDocuments(texts);
    expect(batch).toHaveLength(texts.length);
    for (const [index, text] of texts.entries()) {
      const [alone] = await embedder.embedDocuments([text]);
      // Equal to the last bit, because stored vectors are used instead of new ones.
      expect(alone).toEqual(batch[index]);
      expect((await embedder.embedQuery(text)).vector).toEqual(alone);
    }
  });

  it('returns the same bits for the same batch', async () => {
    expect(await embedder.embedDocuments(TEXTS)).toEqual(await embedder.embedDocuments(TEXTS));
  });

  it('returns no vectors for no texts', async () => {
    expect(await embedder.embedDocuments([])).toEqual([]);
  });

  it('truncates a text at the model’s number of tokens', async () => {
    const read = 'tide '.repeat(254);
    const [whole, longer, shorter] = (await embedder.embedDocuments([
      read,
      `${read}${'volcano '.repeat(1000)}`,
      'tide '.repeat(253),
    ])) as [Embedding, Embedding, Embedding];
    expect(longer).toEqual(whole);
    expect(shorter).not.toEqual(whole);
  });

  it('embeds a very long text without spaces', async () => {
    const [vector] = await embedder.embedDocuments(['a'.repeat(100_000)]);
    expect(Math.hypot(...(vector as Embedding))).toBeCloseTo(1, 4);
  });

  it('prepends the prefixes of the manifest', async () => {
    const model = { ...loadModel(''), queryPrefix: 'moon ', documentPrefix: 'shore ' };
    const prefixing = await createEmbedder(model);
    const [query] = await embedder.embedDocuments(['moon tides']);
    expect((await prefixing.embedQuery('tides')).vector).toEqual(query);
    const [document] = await prefixing.embedDocuments(['tides']);
    const [expected] = await embedder.embedDocuments(['shore tides']);
    expect(document).toEqual(expected);
  });

  it('embeds what a query asks for, without the words that only ask', async () => {
    const polite = await embedder.embedQuery('Please send me papers about tides, thank you.');
    expect(polite).toEqual(await embedder.embedQuery('tides'));
  });

  it('embeds the words of a query in their context', async () => {
    const { words } = await embedder.embedQuery('the river bank flooded');
    expect(words.map(({ word }) => word)).toEqual([
      ...['[CLS]', 'the', 'river', 'bank', 'flooded', '[SEP]'],
    ]);
    for (const { embedding } of words) expect(Math.hypot(...embedding)).toBeCloseTo(1, 4);
    const other = await embedder.embedQuery('the bank raised its interest rates');
    const [bank, sameBank] = [words, other.words].map(
      (all) => all.find(({ word }) => word === 'bank')?.embedding as Embedding,
    );
    expect(cosine(bank as Embedding, sameBank as Embedding)).toBeLessThan(0.95);
  });

  it('embeds no words with an encoder without term embeddings', async () => {
    const { termEmbeddings: _, ...model } = loadModel('');
    const { vector, words } = await (await createEmbedder(model)).embedQuery('tides');
    expect(words).toEqual([]);
    expect(vector).toEqual((await embedder.embedQuery('tides')).vector);
  });

  it('refuses term embeddings beside a graph that embeds no tokens', async () => {
    const folder = await scratchFolder();
    await copyFile(join(bundledModelPath(), 'tokenizer.json'), join(folder, 'tokenizer.json'));
    await copyFile(join(bundledModelPath(), 'answers.onnx'), join(folder, 'model.onnx'));
    const model = { ...loadModel(''), folder, termEmbeddings: 'not compared here' };
    await expect(createEmbedder(model)).rejects.toThrow(
      'the graph has no output "token_embeddings"',
    );
  });

  it('reports a model whose output does not match the manifest', async () => {
    const wrong = await createEmbedder({ ...loadModel(''), dimensions: 128 });
    await expect(wrong.embedQuery('tides')).rejects.toThrow('returned the shape 1 x 384');
  });

  it('refuses weights that are not a model', async () => {
    const folder = await scratchFolder();
    await copyFile(join(bundledModelPath(), 'tokenizer.json'), join(folder, 'tokenizer.json'));
    await writeFiles(folder, { 'model.onnx': 'rubbish' });
    await expect(createEmbedder({ ...loadModel(''), folder })).rejects.toThrow();
  });
});

function expectNear(references: readonly Float32Array[], vectors: readonly Embedding[]): void {
  const found = references.map((vector, index) => cosine(vector, vectors[index] as Embedding));
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
  expect(mean).toBeGreaterThanOrEqual(MEAN_COSINE_MIN);
  expect(Math.min(...found)).toBeGreaterThan(MEAN_COSINE_MIN - 0.01);
}

async function readReferences(): Promise<
  { text: string; vector: Float32Array; answer: Float32Array }[]
> {
  const path = join(import.meta.dirname, '../../fixtures/reference-vectors.json');
  const { texts } = JSON.parse(await readFile(path, 'utf8')) as {
    texts: { text: string; vector: string; answer: string }[];
  };
  return texts.map(({ text, vector, answer }) => {
    return { text, vector: decoded(vector), answer: decoded(answer) };
  });
}

function decoded(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}
