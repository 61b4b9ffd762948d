import { describe, expect, it } from 'vitest';
import { unitsByText } from '../../../src/ingest/prepare.ts';
import {
  createEmbedDocuments,
  type EmbedOptions,
  type SplitDocument,
} from '../../../src/lanes/scoring/embed-documents.ts';
import { documentOf, toyIndexed, toyVector } from '../../index/memory-index.ts';

const WITHOUT_LIMIT: EmbedOptions = { textsMax: 1_000, until: Number.POSITIVE_INFINITY };
/** Documents of two texts: the title and one sentence. */
const documents = ['tides', 'sleep', 'yeast'].map((id) => splitDocumentOf(id, 'It rose.'));

function splitDocumentOf(id: string, abstract: string): SplitDocument {
  return { ...documentOf({ id, title: `On ${id}`, abstract }), sentences: undefined };
}

/** An embedder that records its texts in order. */
function start(cachedMax = 10) {
  const texts: string[] = [];
  const embed = createEmbedDocuments(
    async (batch) => {
      texts.push(...batch);
      return batch.map(toyVector);
    },
    { cachedMax },
  );
  return { embed, texts };
}

describe('createEmbedDocuments', () => {
  it('returns what the builder would, with the source', async () => {
    const [first] = documents as [SplitDocument];
    const [embedded] = await start().embed([first], WITHOUT_LIMIT);
    const { spans, own, units } = toyIndexed({ ...first });
    expect(embedded).toMatchObject({ spans, own, units });
    expect(embedded?.source).toBe(first);
  });

  it('uses the sentence boundaries of the source', async () => {
    const { embed, texts } = start();
    const document = {
      ...splitDocumentOf('a', 'It rose. It fell.'),
      sentences: [{ start: 9, end: 17 }],
    };
    await embed([document], WITHOUT_LIMIT);
    expect(texts).toEqual(['On a', 'It fell.']);
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [5, 2],
    [6, 3],
  ])('embeds at most %i texts, and so %i documents', async (textsMax, count) => {
    const embedded = await start().embed(documents, { ...WITHOUT_LIMIT, textsMax });
    expect(embedded.map(({ source }) => source)).toEqual(documents.slice(0, count));
  });

  it('skips a document that is too long, and embeds those after it', async () => {
    const long = splitDocumentOf('long', 'It rose. It fell. It ebbed.');
    const [first, second] = documents as [SplitDocument, SplitDocument];
    const { embed, texts } = start();
    const embedded = await embed([first, long, second], { ...WITHOUT_LIMIT, textsMax: 4 });
    expect(embedded.map(({ source }) => source)).toEqual([first, second]);
    expect(texts).toHaveLength(4);
  });

  it('stops at the given time', async () => {
    const { embed, texts } = start();
    expect(await embed(documents, { ...WITHOUT_LIMIT, until: Date.now() - 1 })).toEqual([]);
    expect(texts).toEqual([]);
  });

  it('does not embed cached documents again, and does not count them', async () => {
    const { embed, texts } = start();
    await embed(documents, WITHOUT_LIMIT);
    texts.length = 0;
    const again = await embed(documents, { textsMax: 0, until: Date.now() - 1 });
    expect(again).toHaveLength(3);
    expect(texts).toEqual([]);
  });

  it('evicts the least recently used document', async () => {
    const { embed, texts } = start(2);
    const [a, b, c] = documents as [SplitDocument, SplitDocument, SplitDocument];
    await embed([a, b, a, c], WITHOUT_LIMIT);
    texts.length = 0;
    await embed([a, c], WITHOUT_LIMIT);
    expect(texts).toEqual([]);
    await embed([b], WITHOUT_LIMIT);
    expect(texts).toEqual(['On sleep', 'It rose.']);
  });

  it('distinguishes documents by content and sentence boundaries', async () => {
    const { embed, texts } = start();
    const first = splitDocumentOf('a', 'It rose. It fell.');
    await embed([first], WITHOUT_LIMIT);
    texts.length = 0;
    await embed([{ ...first, abstract: 'It ebbed.' }], WITHOUT_LIMIT);
    await embed([{ ...first, sentences: [{ start: 0, end: 8 }] }], WITHOUT_LIMIT);
    expect(texts).toEqual(['On a', 'It ebbed.', 'On a', 'It rose.']);
  });

  it('does not embed texts with known vectors, and returns the same', async () => {
    const [first, second] = documents as [SplitDocument, SplitDocument];
    const earlier = await start().embed([first], WITHOUT_LIMIT);
    const known = new Map(earlier.flatMap((document) => [...unitsByText(document)]));
    expect([...known.keys()].sort()).toEqual(['It rose.', 'On tides']);
    const { embed, texts } = start();
    // The sentence of the second one is known, too.
    const again = await embed([first, second], { ...WITHOUT_LIMIT, textsMax: 1, known });
    expect(texts).toEqual(['On sleep']);
    expect(again).toEqual(await start().embed([first, second], WITHOUT_LIMIT));
  });
});
