/** What is embedded by which encoder of a model that has two. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/database/open.ts';
import { type OpenSearch, openSearch } from '../../src/search/open-search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { createEmbedder, type Embedder } from '../../src/text/embed/embedder.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import { scratchFolder } from '../ingest/index-files.ts';
import { DOCUMENT_PREFIX, makeTwoEncoders, QUERY_PREFIX } from '../support/two-encoders.ts';

const TEXT = 'the tides rise twice a day';

let bundled: Embedder;

beforeAll(async () => {
  bundled = await createEmbedder(loadModel(''));
});

async function open(model: string): Promise<OpenSearch> {
  const store = { path: join(await scratchFolder(), 'index.db'), lockWaitMs: 5000 };
  openStore(store).close();
  const opened = await openSearch({ store, model, limits: readSettings({}, {}) });
  onTestFinished(opened.close);
  return opened;
}

describe('openSearch', () => {
  it('embeds queries with the encoder of queries, and documents to keep with the other', async () => {
    const { embedder, documentEmbedder } = await open(makeTwoEncoders(await scratchFolder()));
    const [query, document, kept] = await bundled.embedDocuments([
      QUERY_PREFIX + TEXT,
      DOCUMENT_PREFIX + TEXT,
      TEXT,
    ]);
    expect((await embedder.embedQuery(TEXT)).vector).toEqual(query);
    expect(await embedder.embedDocuments([TEXT])).toEqual([document]);
    const toKeep = await documentEmbedder();
    expect(await toKeep.embedDocuments([TEXT])).toEqual([kept]);
    expect(await documentEmbedder()).toBe(toKeep);
  });

  it('loads a model of one encoder once', async () => {
    const { embedder, documentEmbedder } = await open('');
    expect(await documentEmbedder()).toBe(embedder);
  });
});
