/** Newer versions of papers, with the real model: what stays is not embedded again. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStoreForReading } from '../../../src/database/open.ts';
import { forwardEntriesById } from '../../index/memory-index.ts';
import {
  addFiles,
  countsOf,
  expectSound,
  jsonLines,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';

const PAPERS = 40;
const HABITATS = ['bay', 'shallow cape', 'delta of the great river', 'fjord', 'coral reef'];

interface Paper {
  id: string;
  title: string;
  abstract: string;
}

it('adding edited files makes the same index as a fresh build, byte for byte', async () => {
  const folder = await scratchFolder();
  const [older, newer] = (await writeFiles(folder, {
    'older.jsonl': jsonLines(papers()),
    'newer.jsonl': jsonLines(papers().map(edited)),
  })) as [string, string];
  const [updated, fresh] = [join(folder, 'updated.db'), join(folder, 'fresh.db')];
  await addFiles([older], { database: updated });
  const { counts } = await addFiles([newer], { database: updated });
  // A fourth each: a new sentence, a new title, no title, nothing.
  const fourth = PAPERS / 4;
  expect(counts).toEqual(
    countsOf({
      read: PAPERS,
      updated: 3 * fourth,
      unchanged: fourth,
      sentences: fourth,
      sentencesKept: 3 * 3 * fourth,
    }),
  );
  const built = await addFiles([newer], {
    database: fresh,
    // Other texts share a batch, and other threads.
    env: { VERBATIM_DOCUMENTS_PER_BATCH: '7', VERBATIM_EMBED_THREADS: '3' },
  });
  expect(built.counts).toMatchObject({ added: PAPERS, sentencesKept: 0 });
  expect(forwardEntriesIn(updated)).toEqual(forwardEntriesIn(fresh));
  expectSound(updated, { documents: PAPERS, sentences: built.counts.sentences });
});

function papers(): Paper[] {
  return Array.from({ length: PAPERS }, (_, i) => {
    const place = HABITATS[i % HABITATS.length];
    const abstract = [
      `We sampled the ${place} for ${i + 1} days.`,
      `The water of the ${place}, which is cold${' and deep'.repeat(i % 7)}, rose.`,
      `It fell in ${i} of them.`,
    ].join(' ');
    return { id: `paper-${i}`, title: `How the ${place} changed in ${1900 + i}`, abstract };
  });
}

function edited(paper: Paper, i: number): Paper {
  const { abstract } = paper;
  if (i % 4 === 0) return { ...paper, abstract: `In all ${i} years it froze. ${abstract}` };
  if (i % 4 === 1) return { ...paper, title: `What ${i} winters do to a coast` };
  if (i % 4 === 2) return { ...paper, title: '' };
  return paper;
}

function forwardEntriesIn(database: string): unknown[] {
  const db = openStoreForReading({ path: database, lockWaitMs: 5000 });
  try {
    return forwardEntriesById(db);
  } finally {
    db.close();
  }
}
