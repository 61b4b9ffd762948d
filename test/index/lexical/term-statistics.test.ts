import { describe, expect, it } from 'vitest';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import {
  createStatisticsReader,
  prepareCountTerms,
} from '../../../src/index/lexical/term-statistics.ts';
import { termOf } from '../../../src/text/terms.ts';
import { addDocuments, memoryIndex } from '../memory-index.ts';

const DOCUMENTS = [
  { id: 'a', title: 'Stars', abstract: 'A star. Another star.' },
  { id: 'b', title: 'Planets', abstract: 'No star.' },
  { id: 'c', title: 'Moon', abstract: '' },
];

describe('createStatisticsReader', () => {
  it('returns zeros for an empty index', () => {
    const statistics = createStatisticsReader(memoryIndex())();
    expect(statistics).toMatchObject({ documents: 0, lengthMean: 1 });
    expect(statistics.frequencyOf(termOf('star'))).toBe(0);
  });

  it('returns document frequencies and the mean length', () => {
    const db = memoryIndex();
    addDocuments(db, DOCUMENTS);
    const statistics = createStatisticsReader(db)();
    expect(statistics).toMatchObject({ documents: 3, lengthMean: (5 + 3 + 1) / 3 });
    const words = ['star', 'planet', 'moon', 'tide'];
    expect(words.map((word) => statistics.frequencyOf(termOf(word)))).toEqual([2, 1, 1, 0]);
  });

  it('reads them again after the index has changed', () => {
    const db = memoryIndex();
    const now = createStatisticsReader(db);
    const star = termOf('star');
    const seen: [documents: number, stars: number][] = [];
    const look = (): unknown => seen.push([now().documents, now().frequencyOf(star)]);
    look();
    addDocuments(db, DOCUMENTS);
    look();
    createIndexWriter(db).remove(['a']);
    look();
    addDocuments(db, [{ id: 'b', title: 'Planets' }]);
    look();
    expect(seen).toEqual([
      [0, 0],
      [3, 2],
      [2, 1],
      [2, 0],
    ]);
  });
});

describe('the cache of frequencies', () => {
  /** More terms than slots, so that some must share a slot. */
  const PLACES_MAX = 2 ** 20;
  const SHARING = [5, 5 + PLACES_MAX, 5 + 3 * PLACES_MAX, 2 ** 32 - PLACES_MAX + 5];

  it('does not confuse terms with the same slot', () => {
    const db = memoryIndex();
    prepareCountTerms(db)(new Map(SHARING.map((term, i) => [term, i + 1])));
    const { frequencyOf } = createStatisticsReader(db)();
    // Every order of the two, and each twice in a row.
    for (const [i, a] of SHARING.entries()) {
      for (const [j, b] of SHARING.entries()) {
        expect([a, b, b, a].map(frequencyOf)).toEqual([i + 1, j + 1, j + 1, i + 1]);
      }
    }
    expect(frequencyOf(5 + 2 * PLACES_MAX)).toBe(0);
    expect(SHARING.map(frequencyOf)).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ['a term', 1, 7],
    ['a term that no document has', 2, 0],
    ['the smallest term', 0, 0],
    ['the largest term', 2 ** 32 - 1, 3],
  ])('reads the frequency of %s once until the index changes', (_, term, frequency) => {
    const db = memoryIndex();
    const count = prepareCountTerms(db);
    count(
      new Map([
        [1, 7],
        [2 ** 32 - 1, 3],
      ]),
    );
    const now = createStatisticsReader(db);
    expect(now().frequencyOf(term)).toBe(frequency);
    // Changed without a new revision, so that the reader does not notice.
    count(new Map([[term, 1]]));
    expect(now().frequencyOf(term)).toBe(frequency);
    expect(createStatisticsReader(db)().frequencyOf(term)).toBe(frequency + 1);
    addDocuments(db, [{ title: 'Tides' }]);
    expect(now().frequencyOf(term)).toBe(frequency + 1);
  });
});

describe('prepareCountTerms', () => {
  it('adds up and deletes counts of 0', () => {
    const db = memoryIndex();
    const count = prepareCountTerms(db);
    const rows = () => db.prepare('SELECT * FROM term_counts ORDER BY term').all();
    count(
      new Map([
        [1, 2],
        [2, 1],
        [2 ** 32 - 1, 1],
      ]),
    );
    count(
      new Map([
        [1, 1],
        [2, -1],
        [3, 0],
      ]),
    );
    expect(rows()).toEqual([
      { term: 1, documents: 3 },
      { term: 2 ** 32 - 1, documents: 1 },
    ]);
  });
});
