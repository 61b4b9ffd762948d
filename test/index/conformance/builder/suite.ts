/** The tests that the builder of every index passes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wantedAuthorKeys } from '../../../../src/identity/author-keys.ts';
import { type KeptRecord, mergedRecord } from '../../../../src/identity/kept-record.ts';
import { mergeRecords } from '../../../../src/identity/merge-records.ts';
import { facetsOf } from '../../../../src/index/facets/facets.ts';
import type { IndexBuilder } from '../../../../src/index/ports/index-builder.ts';
import type { Checkpoint } from '../../../../src/index/records/checkpoints.ts';
import { build } from '../../../../src/ingest/build.ts';
import type { BuildCounts } from '../../../../src/ingest/build-counts.ts';
import { readSettings } from '../../../../src/settings/config.ts';
import { recordOf } from '../../../identity/records.ts';
import { inputsOf, jsonLines, scratchFolder, writeFiles } from '../../../ingest/index-files.ts';
import { toyVector } from '../../memory-index.ts';
import {
  arrive,
  type IndexUnderTest,
  incomingOf,
  type MakeIndex,
  planToy,
} from './index-under-test.ts';

const TIDES = recordOf({ id: 'tides', title: 'Tides', abstract: 'It rose. It fell.', year: 2001 });
const WAVES = recordOf({ id: 'waves', title: 'Waves', abstract: 'They broke. It fell.' });
const CHECKPOINT: Checkpoint = {
  file: { path: 'toy.jsonl', format: 'toy' },
  identity: Buffer.from('this file'),
  entries: 7,
  isDone: false,
};

export function testBuilder(name: string, makeIndex: MakeIndex): void {
  describe(`the builder of an index on ${name}`, () => {
    let index: IndexUnderTest;
    let builder: IndexBuilder;

    beforeEach(async () => {
      index = await makeIndex();
      builder = await index.open();
    });

    afterEach(() => index.close());

    it('adds, updates, merges, and deletes, and knows what it has', async () => {
      expect(await arrive(builder, TIDES)).toBe('added');
      expect(await arrive(builder, TIDES)).toBe('unchanged');
      const { hash } = incomingOf(TIDES) as { hash: Buffer };
      expect(await builder.isKept('id:tides', hash)).toBe(true);
      expect(await builder.isKept('id:tides', Buffer.from('another'))).toBe(false);
      expect(await builder.isKept('id:other', hash)).toBe(false);
      expect(await builder.replacedBy({ ...TIDES, title: 'Moon' })).toEqual(TIDES);
      expect(await builder.replacedBy(WAVES)).toBeUndefined();
      expect(await arrive(builder, { ...TIDES, year: 2002 })).toBe('updated');
      expect(await arrive(builder, { ...TIDES, title: 'High tides', year: 2002 })).toBe('updated');
      const { documents, totals } = await index.content();
      expect(documents).toMatchObject([{ id: 'tides', title: 'High tides', year: 2002 }]);
      expect(totals).toEqual({ documents: 1, sentences: 2, terms: 6 });
    });

    it('counts a paper under the language and the field that its record names now', async () => {
      const first = recordOf({ ...TIDES, details: { language: 'en', field: 'Earth science' } });
      await arrive(builder, first);
      expect((await index.content()).documents[0]?.facets).toEqual(facetsOfOnly(first));
      const second = {
        ...first,
        details: { language: 'deu', field: 'Veterinary medicine' },
      } as const;
      expect(await arrive(builder, second)).toBe('updated');
      expect((await index.content()).documents[0]?.facets).toEqual(facetsOfOnly(second));
    });

    it('knows the authors that the records of a paper name now', async () => {
      const keys = async () => (await index.content()).authorKeys;
      const expected = (...authors: string[]) =>
        wantedAuthorKeys(authors)
          .sort((a, b) => a - b)
          .map((key) => [key, 'tides']);
      const orcids = ['0000-0002-1825-0097'];
      const first = recordOf({ ...TIDES, authors: ['Ana Silva', 'Bo Dahl'], details: { orcids } });
      const second = recordOf({ ...TIDES, source: 'dblp', authors: ['A. Silva', 'Dahl, Bo'] });
      await arrive(builder, first);
      expect(await arrive(builder, second)).toBe('merged');
      expect(await keys()).toEqual(expected('Ana Silva', 'Bo Dahl', 'A. Silva', ...orcids));
      expect(await arrive(builder, { ...first, authors: ['Cy Berg'], details: {} })).toBe(
        'updated',
      );
      expect(await keys()).toEqual(expected('Cy Berg', 'A. Silva', 'Bo Dahl'));
      expect(await arrive(builder, { ...second, authors: [] })).toBe('updated');
      expect(await keys()).toEqual(expected('Cy Berg'));
    });

    it('keeps the vectors of units that stay, to the bit', async () => {
      await arrive(builder, TIDES);
      const change = await planToy(builder, incomingOf({ ...TIDES, title: 'Moon' }));
      const units = await builder.unitsOf(change.planned);
      expect([...units.keys()].sort()).toEqual(['It fell.', 'It rose.', 'Tides']);
    });

    it('removes all traces of a deleted document, also from the postings', async () => {
      const empty = await index.content();
      const source = 'openalex';
      const identifiers = { openalex: 'W1' };
      const authors = ['Ana Silva'];
      await arrive(builder, { ...TIDES, authors, source, identifiers, withheld: 'retracted' });
      for await (const _ of builder.finish());
      expect((await index.content()).documents).toMatchObject([{ reason: 'retracted' }]);
      const change = await planToy(builder, { source, deletion: identifiers });
      expect(change.planned.outcome).toBe('deleted');
      expect(await builder.apply([change], () => [])).toEqual([]);
      expect(await index.content()).toEqual(empty);
    });

    it('keeps an abstract until its paper comes', async () => {
      const identifiers = { s2: '12' };
      const abstract = recordOf({
        source: 's2',
        part: 'abstract',
        id: '',
        identifiers,
        abstract: 'It rose.',
      });
      expect(await arrive(builder, abstract)).toBe('waiting');
      expect((await index.content()).records).toMatchObject([
        ['s2', 'abstract', expect.any(String), null],
      ]);
      const paper = recordOf({ source: 's2', id: 'p', title: 'Tides', identifiers });
      expect(await arrive(builder, paper)).toBe('added');
      const { documents, records } = await index.content();
      expect(documents).toMatchObject([{ id: 'p', abstract: 'It rose.' }]);
      expect(records.map(([, , , id]) => id)).toEqual(['p', 'p']);
    });

    it('keeps out a record that its source merged into another, whichever comes first', async () => {
      const identifiers = { openalex: 'W1' };
      const work = { ...TIDES, source: 'openalex', identifiers } as const;
      const merged = mergedRecord('openalex', identifiers);
      expect(await arrive(builder, work)).toBe('added');
      expect(await arrive(builder, merged)).toBe('deleted');
      expect(await arrive(builder, merged)).toBe('unchanged');
      expect(await arrive(builder, { ...work, updatedAt: 7 })).toBe('unchanged');
      const other = { ...work, source: 'pmid' } as const;
      expect(await arrive(builder, other)).toBe('added');
      const { documents, records } = await index.content();
      expect(documents).toHaveLength(1);
      expect(records.map(([source, part]) => [source, part])).toEqual(
        expect.arrayContaining([
          ['openalex', 'merged'],
          ['pmid', null],
        ]),
      );
      expect(records).toHaveLength(2);
    });

    it('lets two documents swap their ids', async () => {
      await arrive(
        builder,
        recordOf({ source: 's2', identifiers: { s2: '1' }, id: 'a', title: 'Tides' }),
      );
      await arrive(
        builder,
        recordOf({ source: 's2', identifiers: { s2: '2' }, id: 'b', title: 'Waves' }),
      );
      await arrive(
        builder,
        recordOf({ source: 's2', identifiers: { s2: '1' }, id: 'c', title: 'Tides' }),
      );
      await arrive(
        builder,
        recordOf({ source: 's2', identifiers: { s2: '2' }, id: 'a', title: 'Waves' }),
      );
      const { documents } = await index.content();
      expect(documents.map(({ id, title }) => [id, title])).toEqual([
        ['a', 'Waves'],
        ['c', 'Tides'],
      ]);
    });

    it('returns what another builder has overtaken, and applies the rest', async () => {
      const other = await index.open();
      const [tides, waves] = [
        await planToy(builder, incomingOf(TIDES)),
        await planToy(builder, incomingOf(WAVES)),
      ];
      expect(await arrive(other, { ...TIDES, title: 'Moon' })).toBe('added');
      expect(await builder.apply([tides, waves], () => [])).toEqual([tides]);
      expect(await arrive(builder, TIDES)).toBe('updated');
      expect((await index.content()).documents.map(({ title }) => title)).toEqual([
        'Tides',
        'Waves',
      ]);
      await other.close();
    });

    it('two builders at once take turns', async () => {
      const other = await index.open();
      const records = Array.from({ length: 12 }, (_, n) =>
        recordOf({ id: `p${n}`, title: `Paper ${n}` }),
      );
      const addAll = async (one: IndexBuilder): Promise<void> => {
        for (const record of records) while ((await arrive(one, record)) === 'stale');
      };
      await Promise.all([addAll(builder), addAll(other)]);
      const { documents, totals } = await index.content();
      expect(documents).toHaveLength(12);
      expect(totals.documents).toBe(12);
      await other.close();
    });

    it('stores changes and checkpoints together, or neither', async () => {
      const empty = await index.content();
      const change = await planToy(builder, incomingOf(TIDES));
      const failure = new Error('no checkpoints');
      await expect(
        builder.apply([change], () => {
          throw failure;
        }),
      ).rejects.toBe(failure);
      expect(await index.content()).toEqual(empty);
      expect(await builder.readCheckpoints()).toEqual([]);
      await builder.apply([change], () => [CHECKPOINT]);
      expect(await builder.readCheckpoints()).toEqual([CHECKPOINT]);
      await builder.saveCheckpoints([{ ...CHECKPOINT, entries: 9, isDone: true }]);
      expect(await builder.readCheckpoints()).toMatchObject([{ entries: 9, isDone: true }]);
      await arrive(builder, WAVES);
      expect(await builder.readCheckpoints()).toEqual([]);
    });

    it('forgets the checkpoints of other files', async () => {
      const other = { ...CHECKPOINT, file: { path: 'other.jsonl', format: 'toy' } };
      await builder.saveCheckpoints([CHECKPOINT, other]);
      await builder.keepCheckpoints([other.file]);
      expect(await builder.readCheckpoints()).toEqual([other]);
      await builder.keepCheckpoints([]);
      expect(await builder.readCheckpoints()).toEqual([]);
    });

    it('finishes in steps, and goes on after a stop', async () => {
      await arrive(builder, TIDES);
      expect((await index.content()).postings).toEqual([]);
      for await (const _ of builder.finish()) break;
      await arrive(builder, WAVES);
      for await (const { share } of builder.finish()) expect(share).toBeLessThanOrEqual(1);
      const { postings, frequencies } = await index.content();
      expect(postings.map(([term, ids]) => [term, ids.length])).toEqual(frequencies);
    });

    it('goes on after a build that failed, to the same index', async () => {
      const folder = await scratchFolder();
      const paper = (n: number, title = `Paper ${n}`) => ({
        id: `p${n}`,
        title,
        abstract: `It is ${n}. It rose.`,
      });
      const first = [...Array(20).keys()].map((n) => paper(n));
      const paths = await writeFiles(folder, {
        'first.jsonl': jsonLines(first),
        'second.jsonl': jsonLines(first.slice(0, 8).map((_, n) => paper(n, `Edited ${n}`))),
      });
      await expect(runBuild(builder, paths, 4)).rejects.toThrow('the power is out');
      expect(await builder.readCheckpoints()).toHaveLength(1);
      const counts = await runBuild(await index.open(), paths);
      expect(counts.resumed).toBeGreaterThan(0);
      expect(await builder.readCheckpoints()).toEqual([]);
      const resumed = await index.content();
      const fresh = await makeIndex();
      try {
        await runBuild(await fresh.open(), paths);
        expect(resumed).toEqual(await fresh.content());
      } finally {
        await fresh.close();
      }
    });
  });
}

function facetsOfOnly(record: KeptRecord): number[] {
  return [...facetsOf(mergeRecords([record]))];
}

/** Adds files as `index add` does. The power fails after so many batches of texts. */
export async function runBuild(
  builder: IndexBuilder,
  paths: readonly string[],
  failsAfter = Number.POSITIVE_INFINITY,
): Promise<BuildCounts> {
  let calls = 0;
  const end = await builder.startBuild<unknown>({ files: paths });
  const counts = await build({
    files: inputsOf(paths),
    format: undefined,
    batchesInFlightMax: 2,
    builder,
    limits: { ...readSettings({}, {}), documentsPerBatch: 3 },
    async embed(texts) {
      if (++calls > failsAfter) throw new Error('the power is out');
      return texts.map(toyVector);
    },
    listener: { fileStarted() {}, passedOver() {}, fileFailed() {}, skipped() {}, progress() {} },
    signal: new AbortController().signal,
  });
  for await (const _ of builder.finish());
  await end('done', counts);
  return counts;
}
