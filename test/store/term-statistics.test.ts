import { describe, expect, it } from 'vitest';
import { createIndexWriter } from '../../src/store/index-writer.ts';
import { createStatisticsReader, prepareCountTerms } from '../../src/store/term-statistics.ts';
import { termOf } from '../../src/text/terms.ts';
import { addDocuments, memoryIndex } from './memory-index.ts';

const DOCUMENTS = [
  { id: 'a', title: 'Stars', abstract: 'A star. Another star.' },
  { id: 'b', title: 'Planets', abstract: 'No star.' },
  { id: 'c', title: 'Moon', abstract: '' },
];

describe('the term statistics', () => {
  it('are those of an empty index', () => {
    const statistics = createStatisticsReader(memoryIndex())();
    expect(statistics).toMatchObject({ documents: 0, lengthMean: 1 });
    expect(statistics.frequencyOf(termOf('star'))).toBe(0);
  });

  it('tell in how many documents a term occurs, and how long they are', () => {
    const db = memoryIndex();
    addDocuments(db, DOCUMENTS);
    const statistics = createStatisticsReader(db)();
    expect(statistics).toMatchObject({ documents: 3, lengthMean: (5 + 3 + 1) / 3 });
    const words = ['star', 'planet', 'moon', 'tide'];
    expect(words.map((word) => statistics.frequencyOf(termOf(word)))).toEqual([2, 1, 1, 0]);
  });

  it('are read again when the index has changed', () => {
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

describe('the counts of terms', () => {
  it('add up, and go where none is left', () => {
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
