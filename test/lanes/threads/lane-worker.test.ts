/** The vectors of lane documents with a model of two encoders. */
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { quantizeUnit } from '../../../src/index/dense/embeddings.ts';
import type { TextVectors } from '../../../src/lanes/scoring/scoring-task.ts';
import { createLaneHandler, type LaneTask } from '../../../src/lanes/threads/lane-worker.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { createEmbedder } from '../../../src/text/embed/embedder.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import { jsonLines, readIndex, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { DOCUMENT_PREFIX, makeTwoEncoders } from '../../support/two-encoders.ts';
import { runCommand } from '../../support/verbatim.ts';
import { sourdough } from '../fake-lanes.ts';

// The priority of a lane thread would be that of this process.
vi.mock('node:os', async (original) => ({ ...(await original<object>()), setPriority: () => {} }));

const KNOWN = { id: 'tides', title: 'Tides', abstract: 'The sea rises twice a day.' };

async function startLaneHandler() {
  const folder = await scratchFolder();
  const [papers = ''] = await writeFiles(folder, { 'papers.jsonl': jsonLines([KNOWN]) });
  const path = join(folder, 'index.db');
  await runCommand(['index', 'add', papers, '--db', path]);
  const settings = readSettings({}, {});
  const handle = await createLaneHandler({
    store: { path, lockWaitMs: 5000 },
    learnInto: { path, lockWaitMs: 5000 },
    model: makeTwoEncoders(join(folder, 'model')),
    limits: settings,
    scoring: settings,
    learning: settings,
  });
  return { handle, path };
}

function embedding(): LaneTask {
  const until = Date.now() + 60_000;
  return { kind: 'embed', documents: [sourdough], until, known: new Map(), parts: 1 };
}

describe('a model of two encoders', () => {
  it('embeds documents that a search waits for with the encoder of queries', async () => {
    const { handle } = await startLaneHandler();
    const vectors = await handle(embedding());
    const bundled = await createEmbedder(loadModel(''));
    const [expected] = await bundled.embedDocuments([DOCUMENT_PREFIX + sourdough.title]);
    const title = (vectors as TextVectors).get(sourdough.title);
    expect(title).toEqual(quantizeUnit(expected as Float32Array));
  });

  it('learns a document with the vectors that a build gives it', async () => {
    const { handle, path } = await startLaneHandler();
    // These vectors are cached, and must not be learned.
    await handle(embedding());
    expect(await handle({ kind: 'learn', documents: [sourdough] })).toMatchObject({ added: 1 });
    const learned = readIndex(path).get(sourdough.id);
    const folder = await scratchFolder();
    const { id, title, abstract } = sourdough;
    const content = jsonLines([{ id, title, abstract }]);
    const [papers = ''] = await writeFiles(folder, { 'papers.jsonl': content });
    const built = join(folder, 'built.db');
    await runCommand(['index', 'add', papers, '--db', built]);
    expect(learned?.vectors).toBeDefined();
    expect(learned?.vectors).toEqual(readIndex(built).get(id)?.vectors);
  });
});
