/** Searches while another process adds, updates and removes documents. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openStoreForReading } from '../../src/database/open.ts';
import { readRevision } from '../../src/index/index-facts.ts';
import { createSearchDeps, search } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { createEmbedder } from '../../src/text/embed/embedder.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import type { Citation, SourceDocument } from '../../src/types.ts';
import { jsonLines, scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { sourceOf } from '../support/source-of.ts';
import { runVerbatim } from '../support/verbatim.ts';

/** With the sample more than a cell holds, so that cells are split and arranged meanwhile. */
const DOCUMENTS = 60;
/** Many short transactions. */
const BATCHES = { VERBATIM_DOCUMENTS_PER_BATCH: '4' };

const QUESTIONS = [
  ...['how the lagoon rose', 'which water cleared', 'reef 17 in winter', 'does sleep help memory'],
  ...['the strait froze', 'zebrafish', 'to be or not to be', 'lagoon 12'],
];

describe('search while another process writes', () => {
  it('never fails and cites one version of each document', async () => {
    const folder = await scratchFolder();
    const [first, second] = (await writeFiles(folder, {
      'first.jsonl': jsonLines(papers('rose')),
      'second.jsonl': jsonLines(papers('fell')),
    })) as [string, string];
    const database = await copySampleIndex();
    onTestFinished(() => removeDatabase(database));
    const write = (args: readonly string[]) =>
      runVerbatim(['index', ...args, '--db', database], { env: BATCHES });
    const ids = papers('rose').map(({ id }) => id);
    let isWriting = true;
    const writing = (async () => {
      await write(['add', first]);
      await write(['add', second]);
      for (let at = 0; at < DOCUMENTS; at += 40) await write(['remove', ...ids.slice(at, at + 30)]);
      await write(['remove', '--restore', ...ids]);
      await write(['add', first]);
    })().finally(() => {
      isWriting = false;
    });

    const { ask, revisionNow } = await openSearcher(database);
    const texts = await textsById();
    const revisions = new Set<number>();
    for (let at = 0; isWriting; at++) {
      const citations = await ask(QUESTIONS[at % QUESTIONS.length] as string);
      expect(citations).toHaveLength(20);
      expect(new Set(citations.map(({ d }) => d)).size).toBe(20);
      for (const citation of citations) checkCitation(citation, texts);
      revisions.add(revisionNow());
      await setImmediate();
    }
    await writing;
    expect(revisions.size).toBeGreaterThan(3);
    const last = await ask('how the lagoon rose');
    expect(last[0]?.t).toContain('rose');
    expect(last.filter(({ t }) => t.includes('fell'))).toEqual([]);
  });
});

function papers(change: string): SourceDocument[] {
  const places = ['bay', 'delta', 'lagoon', 'reef', 'strait'];
  return Array.from({ length: DOCUMENTS }, (_, i) => {
    const place = `${places[i % places.length]} ${i}`;
    return {
      id: `place-${i}`,
      title: `How the ${place} ${change}`,
      year: 0,
      authors: [],
      venue: '',
      abstract: `We sampled the ${place} in winter. Its water ${change} for ${i} days.`,
    };
  });
}

type Texts = Map<string, { title: string; abstract: string }[]>;

/** Every version of each document, as title and abstract. */
async function textsById(): Promise<Texts> {
  const db = openStoreForReading({ path: inject('sampleIndex'), lockWaitMs: 5000 });
  const sample = db.prepare('SELECT id, title, abstract FROM documents').all() as SourceDocument[];
  db.close();
  const texts: Texts = new Map();
  for (const { id, title, abstract } of [...sample, ...papers('rose'), ...papers('fell')]) {
    texts.set(id, [...(texts.get(id) ?? []), { title, abstract }]);
  }
  return texts;
}

/** Checks that title, abstract and sentence come from the same version of the document. */
function checkCitation({ d, t, ab, q }: Citation, texts: Texts): void {
  expect(texts.get(d)).toContainEqual({ title: t, abstract: ab });
  expect(ab).toContain(q);
}

async function openSearcher(database: string) {
  const model = loadModel('');
  const embedder = await createEmbedder(model);
  const db = openStoreForReading({ path: database, lockWaitMs: 5000 });
  onTestFinished(() => {
    db.close();
  });
  const settings = readSettings({ exactScanMax: 0 }, {});
  const deps = createSearchDeps(sourceOf(db, settings), model, settings);
  return {
    revisionNow: readRevision(db),
    ask: async (query: string): Promise<Citation[]> =>
      (await search({ query, limit: 20, withAbstract: true }, embedder, deps)).answer.results,
  };
}
