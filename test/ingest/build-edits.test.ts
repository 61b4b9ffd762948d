/**
 * Newer versions of documents, through the builder: only the texts are embedded that a document did
 * not have before, and the index is the one that would have been built of the last versions alone.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { build } from '../../src/ingest/build.ts';
import { formatNamed } from '../../src/ingest/formats.ts';
import { readSettings } from '../../src/settings/config.ts';
import { expectSound, forwardEntriesById, memoryIndex, toyVector } from '../index/memory-index.ts';
import { inputsOf, jsonLines, scratchFolder, writeFiles } from './index-files.ts';

const SENTENCES = ['It rose.', 'It fell.', 'It stood.', 'Йод. ', 'IL-6 was low!', 'Tides'];

interface Version {
  id: string;
  title: string;
  abstract: string;
}

const version: fc.Arbitrary<Version> = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c'),
    // A title may be a sentence of the version before, or the other way round.
    title: fc.constantFrom('', 'Tides', 'Moon', 'It rose.'),
    abstract: fc
      .array(fc.constantFrom(...SENTENCES), { maxLength: 6 })
      .map((sentences) => sentences.join(' ')),
  })
  .filter(({ title, abstract }) => title !== '' || abstract !== '');

describe('newer versions of documents', () => {
  it('edited files make the same index as the last versions alone', async () => {
    const folder = await scratchFolder();
    await fc.assert(
      fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 12 }), async (versions) => {
        const [edited, fresh] = [memoryIndex(), memoryIndex()];
        // Some in one run of the builder, the others in a second.
        await run(edited, folder, versions.slice(0, 3));
        await run(edited, folder, versions.slice(3));
        expectSound(edited);
        const last = new Map(versions.map((one) => [one.id, one]));
        await run(fresh, folder, [...last.values()]);
        expect(forwardEntriesById(edited)).toEqual(forwardEntriesById(fresh));
      }),
      { numRuns: 40 },
    );
  });

  it.each<[what: string, before: Texts, after: Texts, embedded: string[], kept: number]>([
    ['a new sentence', ['T', 'It rose.'], ['T', 'It fell. It rose.'], ['It fell.'], 1],
    ['a new title', ['T', 'It rose. It fell.'], ['M', 'It rose. It fell.'], ['M'], 2],
    ['nothing of another order', ['T', 'It rose. It fell.'], ['T', 'It fell. It rose.'], [], 2],
    ['nothing of fewer sentences', ['T', 'It rose. It fell.'], ['T', 'It fell.'], [], 1],
    ['nothing of a sentence twice', ['T', 'It fell.'], ['T', 'It fell. It fell.'], [], 2],
    ['no title that goes', ['T', 'It rose.'], ['', 'It rose.'], [], 1],
    ['a title where there was none', ['', 'It rose.'], ['T', 'It rose.'], ['T'], 1],
    ['no title that was a sentence', ['T', 'It rose.'], ['It rose.', ''], [], 0],
    ['no sentence that was the title', ['It rose.', ''], ['T', 'It rose.'], ['T'], 1],
    ['a sentence that differs in a blank', ['T', 'It rose.'], ['T', 'It  rose.'], ['It  rose.'], 0],
  ])('embed %s', async (_, before, after, embedded, kept) => {
    const folder = await scratchFolder();
    const [edited, fresh] = [memoryIndex(), memoryIndex()];
    await run(edited, folder, [versionOf(before)]);
    const { texts, counts } = await run(edited, folder, [versionOf(after)]);
    expect(texts).toEqual(embedded);
    const sentences = embedded.filter((text) => text !== after[0]).length;
    expect(counts).toMatchObject({ updated: 1, sentences, sentencesKept: kept });
    await run(fresh, folder, [versionOf(after)]);
    expect(forwardEntriesById(edited)).toEqual(forwardEntriesById(fresh));
  });

  it('embeds everything again when the stored vectors are damaged', async () => {
    const folder = await scratchFolder();
    const db = memoryIndex();
    await run(db, folder, [versionOf(['T', 'It rose. It fell.'])]);
    // One vector less, as if the abstract had one sentence.
    const other = memoryIndex();
    await run(other, folder, [versionOf(['T', 'It rose.'])]);
    const short = other.prepare('SELECT packed FROM signals').pluck().get();
    db.prepare('UPDATE signals SET packed = ?').run(short);
    const { texts } = await run(db, folder, [versionOf(['T', 'It rose.'])]);
    expect(texts).toEqual(['T', 'It rose.']);
  });
});

type Texts = [title: string, abstract: string];

function versionOf([title, abstract]: Texts): Version {
  return { id: 'a', title, abstract };
}

/** Builds from the versions, in their order; tells which texts were embedded. */
async function run(db: Connection, folder: string, versions: readonly Version[]) {
  const texts: string[] = [];
  const counts = await build({
    files: inputsOf(await writeFiles(folder, { 'a.jsonl': jsonLines(versions) })),
    format: formatNamed('verbatim'),
    batchesInFlightMax: 2,
    builder: createSqliteBuilder(db),
    limits: readSettings({}),
    embed: (asked) => {
      texts.push(...asked);
      return Promise.resolve(asked.map(toyVector));
    },
    listener: { fileStarted() {}, passedOver() {}, fileFailed() {}, skipped() {}, progress() {} },
    signal: new AbortController().signal,
  });
  return { texts, counts };
}
