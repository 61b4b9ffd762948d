/** Tests of what a source reads of documents and their records. */
import { describe, expect, it } from 'vitest';
import { noticesOf } from '../../../../src/identity/notices.ts';
import { schemeKeysOf } from '../../../../src/identity/record-keys.ts';
import { cosinesOf } from '../../../../src/index/dense/embeddings.ts';
import { decodeTermVector, findTerm } from '../../../../src/index/lexical/term-vectors.ts';
import { termOf } from '../../../../src/text/terms.ts';
import { dotProductsOf } from '../../../../src/vectors/dot-products.ts';
import { TOY_DIMENSIONS, toyVector } from '../../memory-index.ts';
import { ids, RETRACTED, SCRIPTS, TIDES } from './source-under-test.ts';
import type { Reading } from './suite.ts';

/** No document has it. */
const MISSING = 1_000_000;

export function testDocuments({ read }: Reading): void {
  describe('documents', () => {
    it('are found by their exact ids', async () => {
      const asked = ['paper-3', 'PAPER-3', '', TIDES.id, 'nul \u0000', 'paper-3'];
      const [third, ...others] = await read((view) => view.withIds(asked));
      expect(third).toEqual(expect.any(Number));
      expect(others).toEqual([undefined, undefined, expect.any(Number), undefined, third]);
      const all = await read((view) => view.withIds(ids));
      expect(new Set(all).size).toBe(ids.length);
      expect(await read((view) => view.withIds([]))).toEqual([]);
    });

    it('are found by the keys of their records in any case, each once', async () => {
      const keys = schemeKeysOf({ doi: TIDES.id.toUpperCase(), arxiv: '1801.00001' });
      expect(keys).toHaveLength(2);
      await read(async (view) => {
        const [number] = await view.withIds([TIDES.id]);
        expect(await view.withKeys([keys, [], ['nothing'], keys.slice(1)])).toEqual([
          ...[[number], [], [], [number]],
        ]);
        expect(await view.withKeys([])).toEqual([]);
      });
    });

    it('are read in the order of their numbers, with all that is cited', async () => {
      await read(async (view) => {
        const numbers = await numbersOf(view.withIds([SCRIPTS.id, TIDES.id, SCRIPTS.id]));
        const [scripts, tides, again] = await view.documents(numbers);
        const { title, abstract, year, authors, venue } = TIDES;
        expect(tides).toMatchObject({ id: TIDES.id, title, abstract, year, authors, venue });
        const quotes = tides?.spans.map(({ start, end }) => abstract.slice(start, end));
        expect(quotes).toEqual([
          ...['The moon pulls the sea.', 'The tide rose twice a day.', '“It fell,” we found.'],
        ]);
        expect(scripts).toMatchObject({ ...SCRIPTS, authors: [], venue: '' });
        expect(again).toEqual(scripts);
        expect(await view.documents([])).toEqual([]);
      });
    });

    it('without an entry in the forward index are an error', async () => {
      await expect(read((view) => view.forwardEntries([MISSING]))).rejects.toThrow(`${MISSING}`);
    });

    it('that are missing are undefined, beside those that are not', async () => {
      await read(async (view) => {
        const [number] = await numbersOf(view.withIds([TIDES.id]));
        const numbers = [MISSING, number as number];
        expect(await view.documents(numbers)).toMatchObject([undefined, { id: TIDES.id }]);
        const merged = [undefined, { document: { id: TIDES.id } }];
        expect(await view.merged(numbers)).toMatchObject(merged);
      });
    });

    it('have entries in the forward index, in the order of their numbers', async () => {
      await read(async (view) => {
        const numbers = await numbersOf(view.withIds([SCRIPTS.id, 'paper-1', TIDES.id]));
        const entries = await view.forwardEntries(numbers);
        const titles = [SCRIPTS.title, 'On tide and sleep, part 1', TIDES.title];
        for (const [at, { vectors, terms }] of entries.entries()) {
          // The second vector is the title's.
          const query = dotProductsOf(toyVector(titles[at] as string));
          expect(cosinesOf(query, vectors, TOY_DIMENSIONS)[1]).toBeGreaterThan(0.95);
          expect(findTerm(decodeTermVector(terms), termOf('tide')) >= 0).toBe(at > 0);
        }
        expect(await view.forwardEntries([])).toEqual([]);
      });
    });

    it('are merged from all of their records', async () => {
      await read(async (view) => {
        const numbers = await numbersOf(view.withIds(['paper-0', TIDES.id]));
        const [other, tides] = await view.merged(numbers);
        expect(tides?.document).toMatchObject({ id: TIDES.id, abstract: TIDES.abstract });
        expect(tides?.identifiers).toEqual({ ...TIDES.identifiers, openalex: 'W17' });
        expect(tides?.records.map(({ source }) => source).sort()).toEqual(['doi', 'openalex']);
        expect(other?.details).toMatchObject({ type: 'review', openAccess: true });
        expect(other && noticesOf([other])).toEqual([]);
        expect(await view.merged([])).toEqual([]);
      });
    });

    it('have their own titles and those of their records', async () => {
      await read(async (view) => {
        const numbers = await numbersOf(view.withIds([TIDES.id, 'paper-1']));
        const [tides, other, missing] = await view.titles([...numbers, MISSING]);
        const [merged] = await view.merged(numbers);
        expect(new Set(tides)).toEqual(new Set(merged?.records.map(({ title }) => title)));
        expect(tides?.[0]).toBe(TIDES.title);
        expect(other).toEqual(['On tide and sleep, part 1']);
        expect(missing).toEqual([]);
        expect(await view.titles([])).toEqual([]);
      });
    });

    it('are found by similar titles', async () => {
      await read(async (view) => {
        const [number] = await view.withIds([TIDES.id]);
        for (const title of [TIDES.title.toUpperCase(), 'Tides of the northern shore']) {
          expect((await view.withTitle(title, 5))[0]).toBe(number);
        }
        expect(await view.withTitle('', 5)).toEqual([]);
        expect(await view.withTitle('Nothing resembles zebrafish', 5)).toEqual([]);
      });
    });

    it('that are retracted are withheld', async () => {
      await read(async (view) => {
        const numbers = await numbersOf(view.withIds([RETRACTED.id]));
        expect([...(await view.withheld())]).toEqual(numbers.map((one) => [one, 'retracted']));
      });
    });

    it('are counted', async () => {
      const { totals, summary } = await read(async (view) => ({
        totals: await view.totals(),
        summary: await view.summary(),
      }));
      expect(totals.documents).toBe(ids.length);
      // Each of the other papers has two sentences.
      expect(totals.sentences).toBe(3 + 1 + 2 + 2 * (ids.length - 3));
      expect(summary).toMatchObject({ ...totals, years: { from: 1998, to: 2019 } });
      expect(summary.sources).toContainEqual({ name: 'openalex', documents: 1 });
      expect(summary.sources).toContainEqual({ name: 'arxiv', documents: 11 });
      expect(summary.languages).toEqual([
        { language: 'en', documents: 37 },
        { language: 'de', documents: 5 },
        { language: null, documents: 3 },
      ]);
      expect(summary.fields).toEqual([
        { field: 'Physics', documents: 14 },
        { field: null, documents: 31 },
      ]);
    });
  });
}

async function numbersOf(found: Promise<(number | undefined)[]>): Promise<number[]> {
  return (await found).flatMap((number) => number ?? []);
}
