/** Builds from real formats in which several files speak of one paper. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { noticesOf } from '../../src/identity/notices.ts';
import { createDocumentReader } from '../../src/index/documents/documents.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { prepareReadSources } from '../../src/index/documents/sources-of-documents.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { build } from '../../src/ingest/build.ts';
import type { BuildCounts } from '../../src/ingest/build-counts.ts';
import { readSettings } from '../../src/settings/config.ts';
import { recordOf } from '../identity/records.ts';
import { expectSound, memoryIndex, toyVector } from '../index/memory-index.ts';
import { arrive, documentsIn } from '../index/toy-incoming-records.ts';
import { countsOf, inputsOf, jsonLines, scratchFolder, writeFiles } from './index-files.ts';

const PAPERS = jsonLines(
  [5, 6].map((corpusid) => ({
    corpusid,
    externalids: { DOI: `10.5555/${corpusid}` },
    title: `Number ${corpusid}`,
    year: 2024,
    authors: [{ authorId: '1', name: 'A. Berg' }],
  })),
);
const ABSTRACTS = jsonLines(
  [6, 7].map((corpusid) => ({
    corpusid,
    openaccessinfo: {},
    abstract: `It was ${corpusid}. It rose.`,
  })),
);
const WORK = {
  id: 'https://openalex.org/W1',
  doi: 'https://doi.org/10.5555/TIDES',
  type: 'article',
  title: 'How the tides of the North Sea rise',
  publication_year: 2025,
  language: 'en',
  authorships: [{ author: { display_name: 'Anna Berg' } }],
  abstract_inverted_index: { It: [0], 'rose.': [1] },
  updated_date: '2025-02-01',
};
const PREPRINT = {
  id: '2401.00001',
  submitter: 'A',
  title: 'How the Tides of the\n  North Sea Rise',
  authors: 'Anna Berg',
  authors_parsed: [['Berg', 'Anna', '']],
  categories: 'physics.ao-ph',
  abstract: '  The sea rose.\n',
  doi: null,
  update_date: '2024-03-01',
  versions: [{ version: 'v1', created: 'Mon, 1 Jan 2024 10:00:00 GMT' }],
};

describe('a build from several sources', () => {
  it.each([
    [
      'before',
      [PAPERS, ABSTRACTS],
      { added: 2, merged: 1, waiting: 1, withoutAbstract: 2, sentences: 2 },
    ],
    ['after', [ABSTRACTS, PAPERS], { added: 2, waiting: 2, withoutAbstract: 1, sentences: 2 }],
  ])('joins abstracts with papers that come %s them', async (_, files, counts) => {
    const db = memoryIndex();
    expect(await run(db, files)).toEqual(countsOf({ read: 4, ...counts }));
    expect(documentsIn(db)).toMatchObject([
      { id: '10.5555/5', abstract: '' },
      { id: '10.5555/6', abstract: 'It was 6. It rose.', identifiers: { s2: '6' } },
    ]);
    expect(await run(db, files)).toEqual(countsOf({ read: 4, unchanged: 4 }));
    expectSound(db);
  });

  it.each([1, 2, 64])(
    'merges a preprint and its paper into one document in batches of %i',
    async (size) => {
      const files = [jsonLines([PREPRINT]), jsonLines([WORK])];
      for (const order of [files, [...files].reverse()]) {
        const db = memoryIndex();
        const counts = await run(db, order, size);
        expect(counts).toMatchObject({ read: 2, added: 1, merged: 1 });
        expect(documentsIn(db)).toMatchObject([
          {
            id: '10.5555/tides',
            title: WORK.title,
            year: 2025,
            authors: ['Anna Berg'],
            abstract: expect.stringContaining('The sea rose.'),
            identifiers: { doi: '10.5555/tides', arxiv: '2401.00001', openalex: 'W1' },
          },
        ]);
        expectSound(db);
      }
    },
  );

  it('keeps it one when personal bibliographies follow one after another', async () => {
    const { title } = WORK;
    const bibtex = `@article{berg, title = {${title}}, author = {Berg, Anna}, year = 2025}\n`;
    const ris = `TY  - JOUR\nTI  - ${title}\nAU  - Berg, Anna\nPY  - 2025\nER  - \n`;
    const files = [jsonLines([WORK]), jsonLines([PREPRINT]), bibtex, ris, bibtex];
    const db = memoryIndex();
    for (const at of files.keys()) {
      await run(db, files.slice(0, at + 1));
      expect(documentsIn(db)).toMatchObject([{ id: '10.5555/tides' }]);
    }
  });

  it('deletes what the feed deletes and embeds the rest', async () => {
    const db = memoryIndex();
    const merged = 'merge_date,id,merge_into_id\n2025-03-01,W1,W9\n2025-03-01,W2,W9\n';
    const counts = await run(db, [jsonLines([WORK]), jsonLines([PREPRINT]), merged]);
    expect(counts).toMatchObject({ read: 4, added: 1, merged: 1, deleted: 1, unchanged: 1 });
    expect(documentsIn(db)).toMatchObject([{ id: 'arXiv:2401.00001', year: 2024 }]);
    expectSound(db);
  });

  it.each([
    ['before', 'after'],
    ['after', 'before'],
    ['after', 'after'],
  ])('keeps a work out that was merged %s it came, and once more %s', async (first, again) => {
    const db = memoryIndex();
    const merged = 'merge_date,id,merge_into_id\n2025-03-01,W1,W9\n';
    const remaining = { ...WORK, id: 'https://openalex.org/W9', doi: null, title: 'The tides' };
    const later = { ...WORK, updated_date: '2025-09-01' };
    const own = 'id,title\nhttps://openalex.org/W1,My notes on the tides\n';
    const inOrder = (works: object[], when: string): string[] =>
      when === 'before' ? [jsonLines(works), merged] : [merged, jsonLines(works)];
    await run(db, [own, ...inOrder([WORK, remaining], first)]);
    // A build that sees only the older partition.
    expect(await run(db, [jsonLines([WORK])])).toEqual(countsOf({ read: 1, unchanged: 1 }));
    const counts = await run(db, inOrder([later], again));
    expect(counts).toEqual(countsOf({ read: 2, unchanged: 2 }));
    expect(documentsIn(db)).toMatchObject([
      { id: 'W1', title: 'My notes on the tides' },
      { id: 'W9', title: 'The tides' },
    ]);
    expectSound(db);
  });

  it('keeps the newer of two records of one source in either reading order', async () => {
    const newer = { ...WORK, title: 'How the tides rise', updated_date: '2025-06-01' };
    for (const files of [
      [jsonLines([WORK]), jsonLines([newer])],
      [jsonLines([newer]), jsonLines([WORK])],
      [jsonLines([newer, WORK])],
    ]) {
      const db = memoryIndex();
      await run(db, files);
      expect(documentsIn(db)).toMatchObject([{ title: 'How the tides rise' }]);
    }
  });

  it('embeds nothing when only the year changes', async () => {
    const db = memoryIndex();
    await run(db, [jsonLines([WORK])]);
    const later = { ...WORK, publication_year: 2026, updated_date: '2026-01-01' };
    expect(await run(db, [jsonLines([later])])).toEqual(countsOf({ read: 1, updated: 1 }));
    expect(documentsIn(db)).toMatchObject([{ year: 2026 }]);
    expectSound(db);
  });

  it.each([
    ['retraction', 'retracted', 'before'],
    ['retraction', 'retracted', 'after'],
    ['removal', 'withdrawn', 'after'],
  ])('honours a notice of %s: %s, %s its paper', async (type, withheld, when) => {
    const db = memoryIndex();
    const notice = jsonLines([
      {
        DOI: '10.5555/notice',
        type: 'journal-article',
        title: ['A notice'],
        'update-to': [{ DOI: '10.5555/tides', type }],
      },
    ]);
    const files = when === 'before' ? [notice, jsonLines([WORK])] : [jsonLines([WORK]), notice];
    expect(await run(db, files)).toMatchObject({ read: 2, added: 1, skipped: 0 });
    const paper = { id: '10.5555/tides', abstract: 'It rose.', withheld };
    expect(documentsIn(db)).toMatchObject([paper]);
    expectSound(db);
  });

  it('tells of a notice once, whichever side tells it, with its date and DOI', async () => {
    const updated = { 'date-parts': [[2021, 3, 9]] };
    const [correction, retraction] = [
      { type: 'correction', DOI: '10.5555/erratum', updated: { 'date-parts': [[2020]] } },
      { type: 'retraction', DOI: '10.5555/notice', updated },
    ];
    const work = { DOI: '10.5555/tides', type: 'journal-article', title: ['How the tides rise'] };
    const both = { ...work, 'updated-by': [correction, retraction] };
    const notice = {
      DOI: '10.5555/notice',
      type: 'journal-article',
      title: ['Retraction'],
      'update-to': [{ ...retraction, DOI: '10.5555/TIDES' }],
    };
    for (const files of [[both], [both, notice], [notice, both], [both, both]]) {
      const db = memoryIndex();
      await run(db, [jsonLines(files)]);
      const found = readTides(db);
      expect(found.merged.withheld).toBe('retracted');
      expect(noticesOf([found.merged])).toEqual([
        { kind: 'retraction', date: '2021-03-09', id: '10.5555/notice' },
        { kind: 'correction', date: '2020', id: '10.5555/erratum' },
      ]);
      expectSound(db);
    }
  });

  it('withholds papers whose title says that they were retracted, in any format', async () => {
    const db = memoryIndex();
    const { title } = WORK;
    await run(db, [jsonLines([{ ...WORK, title: `RETRACTED: ${title}` }])]);
    expect(documentsIn(db)).toMatchObject([{ withheld: 'retracted' }]);
    expectSound(db);
  });

  it('plans a change again after another process has overtaken it', async () => {
    const db = memoryIndex();
    const other = createIndexWriter(db);
    let isFirst = true;
    const counts = await run(db, [jsonLines([PREPRINT])], 1, () => {
      // While the preprint is embedded.
      if (isFirst) addPublished(other);
      isFirst = false;
    });
    expect(counts).toMatchObject({ read: 1, added: 0, merged: 1 });
    expect(documentsIn(db)).toMatchObject([{ id: '10.5555/tides', abstract: 'The sea rose.' }]);
    expectSound(db);
  });
});

function addPublished(writer: ReturnType<typeof createIndexWriter>): void {
  const record = recordOf({
    source: 'doi',
    id: '10.5555/tides',
    identifiers: { doi: '10.5555/tides' },
    title: WORK.title,
    year: 2025,
    authors: ['Anna Berg'],
    venue: 'Shore',
  });
  arrive(writer, record);
}

async function run(
  db: Connection,
  contents: readonly string[],
  documentsPerBatch = 64,
  onEmbed: () => void = () => {},
): Promise<BuildCounts> {
  const named = Object.fromEntries(contents.map((content, i) => [`${i}.txt`, content]));
  return build({
    files: inputsOf(await writeFiles(await scratchFolder(), named)),
    format: undefined,
    builder: createSqliteBuilder(db),
    batchesInFlightMax: 2,
    limits: { ...readSettings({}, {}), documentsPerBatch },
    embed: async (texts) => {
      onEmbed();
      return texts.map(toyVector);
    },
    listener: { fileStarted() {}, passedOver() {}, fileFailed() {}, skipped() {}, progress() {} },
    signal: new AbortController().signal,
  });
}

function readTides(db: Connection) {
  return prepareReadSources(db)(createDocumentReader(db).withId('10.5555/tides') as number);
}
