import { describe, expect, it } from 'vitest';
import {
  createEmbedDocuments,
  type EmbedOptions,
  type SplitDocument,
} from '../../../src/fallback/scoring/embed-documents.ts';
import { unitsByText } from '../../../src/ingest/prepare.ts';
import { documentOf, toyIndexed, toyVector } from '../../store/index/memory-index.ts';

const WITHOUT_LIMIT: EmbedOptions = { textsMax: 1_000, until: Number.POSITIVE_INFINITY };
/** Two texts each: the title and one sentence. */
const documents = ['tides', 'sleep', 'yeast'].map((id) => splitDocumentOf(id, 'It rose.'));

function splitDocumentOf(id: string, abstract: string): SplitDocument {
  return { ...documentOf({ id, title: `On ${id}`, abstract }), sentences: undefined };
}

/** With the texts that were embedded, in order. */
function start(cachedMax = 10) {
  const texts: string[] = [];
  const embed = createEmbedDocuments(
    async (given) => {
      texts.push(...given);
      return given.map(toyVector);
    },
    { cachedMax },
  );
  return { embed, texts };
}

describe('createEmbedDocuments', () => {
  it('gives what the builder would, with the source itself', async () => {
    const [first] = documents as [SplitDocument];
    const [embedded] = await start().embed([first], WITHOUT_LIMIT);
    const { spans, own, units } = toyIndexed({ ...first });
    expect(embedded).toMatchObject({ spans, own, units });
    expect(embedded?.source).toBe(first);
  });

  it('takes the sentences that the source has told', async () => {
    const { embed, texts } = start();
    const told = {
      ...splitDocumentOf('a', 'It rose. It fell.'),
      sentences: [{ start: 9, end: 17 }],
    };
    await embed([told], WITHOUT_LIMIT);
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

  it('passes over one that is too long, and embeds those behind it', async () => {
    const long = splitDocumentOf('long', 'It rose. It fell. It ebbed.');
    const [first, second] = documents as [SplitDocument, SplitDocument];
    const { embed, texts } = start();
    const embedded = await embed([first, long, second], { ...WITHOUT_LIMIT, textsMax: 4 });
    expect(embedded.map(({ source }) => source)).toEqual([first, second]);
    expect(texts).toHaveLength(4);
  });

  it('stops when the time is over', async () => {
    const { embed, texts } = start();
    expect(await embed(documents, { ...WITHOUT_LIMIT, until: Date.now() - 1 })).toEqual([]);
    expect(texts).toEqual([]);
  });

  it('embeds nothing again that it remembers, which takes no time and no room', async () => {
    const { embed, texts } = start();
    await embed(documents, WITHOUT_LIMIT);
    texts.length = 0;
    const again = await embed(documents, { textsMax: 0, until: Date.now() - 1 });
    expect(again).toHaveLength(3);
    expect(texts).toEqual([]);
  });

  it('forgets what was used longest ago', async () => {
    const { embed, texts } = start(2);
    const [a, b, c] = documents as [SplitDocument, SplitDocument, SplitDocument];
    await embed([a, b, a, c], WITHOUT_LIMIT);
    texts.length = 0;
    await embed([a, c], WITHOUT_LIMIT);
    expect(texts).toEqual([]);
    await embed([b], WITHOUT_LIMIT);
    expect(texts).toEqual(['On sleep', 'It rose.']);
  });

  it('knows a document of other content, or of other sentences, for another one', async () => {
    const { embed, texts } = start();
    const first = splitDocumentOf('a', 'It rose. It fell.');
    await embed([first], WITHOUT_LIMIT);
    texts.length = 0;
    await embed([{ ...first, abstract: 'It ebbed.' }], WITHOUT_LIMIT);
    await embed([{ ...first, sentences: [{ start: 0, end: 8 }] }], WITHOUT_LIMIT);
    expect(texts).toEqual(['On a', 'It ebbed.', 'On a', 'It rose.']);
  });

  it('does not embed texts whose vectors are known, and gives the same', async () => {
    const [first, second] = documents as [SplitDocument, SplitDocument];
    const earlier = await start().embed([first], WITHOUT_LIMIT);
    const known = new Map(earlier.flatMap((document) => [...unitsByText(document)]));
    expect([...known.keys()].sort()).toEqual(['It rose.', 'On tides']);
    const { embed, texts } = start();
    // Of the second one, too, the sentence is known.
    const again = await embed([first, second], { ...WITHOUT_LIMIT, textsMax: 1, known });
    expect(texts).toEqual(['On sleep']);
    expect(again).toEqual(await start().embed([first, second], WITHOUT_LIMIT));
  });
});
