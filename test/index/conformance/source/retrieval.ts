/** Tests of how a source finds documents by words, by vectors, and by filters. */
import { describe, expect, it } from 'vitest';
import type { FacetFilter } from '../../../../src/index/facets/allowed-documents.ts';
import type { WeightedWord } from '../../../../src/index/lexical/lexical-retrieval.ts';
import type { IndexView } from '../../../../src/index/ports/index-source.ts';
import { termOf, termsOf } from '../../../../src/text/terms.ts';
import { toyVector } from '../../memory-index.ts';
import { corpus, ids, RETRACTED, SCRIPTS, TIDES } from './source-under-test.ts';
import type { Reading } from './suite.ts';

const NO_DOCUMENTS = new Uint32Array(0);

/** The ids of papers whose title or abstract has a term of this word. */
function idsWith(word: string): string[] {
  const term = termOf(word);
  const having = [...corpus.records, ...corpus.later].filter(({ title, abstract }) =>
    termsOf(`${title} ${abstract}`).includes(term),
  );
  // The second record of a paper has another id.
  return having.flatMap((document) => document?.id ?? []).filter((id) => ids.includes(id));
}

async function wordsOf(view: IndexView, words: readonly string[]): Promise<WeightedWord[]> {
  const statistics = await view.statistics(words.map((word) => termOf(word)));
  return words.map((word, at) => {
    const term = termOf(word);
    return { word, term, frequency: statistics.frequencyOf(term), weight: at + 1 };
  });
}

async function idsOf(view: IndexView, numbers: Iterable<number>): Promise<string[]> {
  return (await view.documents([...numbers])).flatMap((document) => document?.id ?? []);
}

/** In several scripts; "含碳" is in the middle of a passage of Chinese. */
const FOUND = ['moon', 'sleep', 'cell', 'sueno', '土壤含碳', '含碳', 'zebrafish', 'il6'];

export function testRetrieval({ read }: Reading): void {
  describe('words', () => {
    it('have the frequencies of all documents', async () => {
      const words = ['moon', 'tide', 'zebrafish', 'mouse', 'moon', 'sueño'];
      await read(async (view) => {
        const statistics = await view.statistics(words.map((word) => termOf(word)));
        expect(statistics.documents).toBe(ids.length);
        expect(statistics.lengthMean).toBeGreaterThan(5);
        for (const word of words) {
          expect(statistics.frequencyOf(termOf(word)), word).toBe(idsWith(word).length);
        }
        expect(idsWith('moon').length).toBeGreaterThan(5);
      });
    });

    it('find the documents that have them, also those that came last', async () => {
      await read(async (view) => {
        for (const word of FOUND) {
          const { documents, weights, isFound } = await view.matchWords(
            await wordsOf(view, [word]),
          );
          expect((await idsOf(view, documents)).sort(), word).toEqual(idsWith(word).sort());
          expect([...documents]).toEqual([...documents].sort((a, b) => a - b));
          expect(new Set(weights).size).toBeLessThan(2);
          for (const document of documents) expect(isFound(document)).toBe(true);
          expect(isFound(1_000_000)).toBe(false);
        }
        expect(idsWith('含碳')).toEqual([SCRIPTS.id]);
        expect(idsWith('cell').some((id) => corpus.later.some((one) => one.id === id))).toBe(true);
      });
    });

    it('add their weights up', async () => {
      await read(async (view) => {
        const words = await wordsOf(view, ['soil', 'light', 'nine']);
        const { documents, weights } = await view.matchWords(words);
        const found = await idsOf(view, documents);
        for (const [at, id] of found.entries()) {
          const having = words.filter(({ word }) => idsWith(word).includes(id));
          expect(weights[at]).toBe(having.reduce((sum, { weight }) => sum + weight, 0));
        }
        expect(found.length).toBeGreaterThan(10);
      });
    });

    it.each(['"', "'", '%', '\\', 'a"b', 'NEAR(x', '😀', 'ka᠎b', ''])(
      'may be any text: %j',
      async (word) => {
        await read(async (view) => {
          const { documents } = await view.matchWords([
            { word, term: termOf(word), frequency: 1, weight: 1 },
          ]);
          expect(await idsOf(view, documents)).toEqual([]);
        });
      },
    );

    it('that are none find nothing', async () => {
      const { documents } = await read((view) => view.matchWords([]));
      expect(documents).toHaveLength(0);
    });
  });

  describe('vectors', () => {
    it('find the nearest documents, the best first', async () => {
      await read(async (view) => {
        // A document with a title alone has nearly the vector of its title.
        const query = { vector: toyVector(TIDES.title), most: 10, documents: NO_DOCUMENTS };
        const { nearest, scores } = await view.nearest(query);
        expect(nearest).toHaveLength(10);
        expect(await idsOf(view, [nearest[0]?.document as number])).toEqual([TIDES.id]);
        const falling = nearest.map(({ score }) => score);
        expect(falling).toEqual([...falling].sort((a, b) => b - a));
        expect(new Set(nearest.map(({ document }) => document)).size).toBe(10);
        expect(scores.scores).toHaveLength(0);
      });
    });

    it('find all documents if as many are wanted', async () => {
      const query = { vector: toyVector('x'), most: 1_000, documents: NO_DOCUMENTS };
      const { nearest } = await read((view) => view.nearest(query));
      expect(new Set(nearest.map(({ document }) => document)).size).toBe(ids.length);
    });

    it('score documents as they are found', async () => {
      await read(async (view) => {
        const all = Uint32Array.from(await numbersOf(view, ids)).sort();
        const query = { vector: toyVector(SCRIPTS.title), most: 1_000, documents: all };
        const { nearest, scores, scoresIn } = await view.nearest(query);
        const scoreOf = new Map(nearest.map(({ document, score }) => [document, score]));
        const unknown = new Set(scores.unknown);
        expect(scores.scores).toHaveLength(all.length);
        for (const [at, document] of all.entries()) {
          if (unknown.has(at)) continue;
          expect(scores.scores[at]).toBeCloseTo(scoreOf.get(document) as number, 5);
        }
        const wanted = [...all].reverse().slice(0, 7);
        const scored = await scoresIn(wanted);
        for (const [at, document] of wanted.entries()) {
          expect(scored[at]).toBeCloseTo(scoreOf.get(document) as number, 5);
        }
        expect(await scoresIn([])).toHaveLength(0);
      });
    });
  });

  describe('a filter', () => {
    const others = corpus.records.filter(({ id }) => id.startsWith('paper-')).concat(corpus.later);
    const idsThat = (test: (one: (typeof others)[number]) => boolean): string[] =>
      others.filter(test).map(({ id }) => id);
    const cases: [what: string, filter: FacetFilter, expected: string[]][] = [
      [
        'years',
        { years: { from: 2001, to: 2002 } },
        idsThat(({ year }) => [2001, 2002].includes(year)),
      ],
      ['venues', { venues: ['SHORES'] }, idsThat(({ venue }) => venue === 'Shores')],
      ['types', { types: ['review'] }, idsThat(({ details }) => details?.type === 'review')],
      ['open access', { openAccess: false }, idsThat(({ details }) => !details?.openAccess)],
      ['authors', { authors: ['dahl, bo'] }, [TIDES.id]],
      ['a name in another record', { authors: ['Anna Berg', 'A Berg'] }, [TIDES.id]],
      ['ORCIDs', { authors: ['https://orcid.org/0000-0002-1825-0097'] }, ['paper-3']],
      ['no author of this name', { authors: ['Berg', '?', '0000-0002-1694-233X'] }, []],
      ['DOIs of a registrant', { doiPrefixes: ['10.5555/'] }, [RETRACTED.id, TIDES.id]],
      ['several beginnings', { doiPrefixes: ['10.5555/tides', '10.5555/t', '10.1/'] }, [TIDES.id]],
      ['no DOI that begins so', { doiPrefixes: ['10.5555/tides-'] }, []],
      ['both', { doiPrefixes: ['10.5555/'], authors: ['Bo Dahl'] }, [TIDES.id]],
      ['both and a year', { doiPrefixes: ['10.5555/'], years: { from: 1, to: 2000 } }, [TIDES.id]],
      ['nothing that fits', { years: { from: 1700, to: 1800 } }, []],
    ];
    it.each(cases)('allows %s', async (_, filter, expected) => {
      await read(async (view) => {
        const allowed = await view.allowed(filter);
        expect(allowed.count).toBe(expected.length);
        expect(allowed.share).toBeCloseTo(Math.max(1, expected.length) / ids.length, 9);
        const all = { vector: toyVector('x'), most: 1_000, documents: NO_DOCUMENTS, allowed };
        const { nearest } = await view.nearest(all);
        const found = await idsOf(
          view,
          nearest.map(({ document }) => document),
        );
        expect(found.sort()).toEqual([...expected].sort());
        const words = await wordsOf(view, ['soil']);
        const { documents } = await view.matchWords(words, allowed);
        const having = idsWith('soil').filter((id) => expected.includes(id));
        expect((await idsOf(view, documents)).sort()).toEqual(having.sort());
      });
    });

    it('allows documents by their numbers', async () => {
      await read(async (view) => {
        const documents = await numbersOf(view, ['paper-4', TIDES.id]);
        const allowed = await view.allowed({ documents });
        expect(allowed.count).toBe(2);
        const query = { vector: toyVector('x'), most: 10, documents: NO_DOCUMENTS, allowed };
        const found = (await view.nearest(query)).nearest.map(({ document }) => document);
        expect(found.sort()).toEqual(documents.sort());
      });
    });
  });
}

async function numbersOf(view: IndexView, of: readonly string[]): Promise<number[]> {
  return (await view.withIds(of)).flatMap((number) => number ?? []);
}
