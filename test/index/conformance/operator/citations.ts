/** Tests of who cites whom, in an index in any database. */
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../../../src/identity/kept-record.ts';
import { idKeyOf } from '../../../../src/identity/record-keys.ts';
import type { CitedWork } from '../../../../src/types.ts';
import { recordOf } from '../../../identity/records.ts';
import { arrive, planToy } from '../builder/index-under-test.ts';
import type { OperatedIndex } from './suite.ts';

const VERIFY = { problemsMax: 10, onProgress: () => {} };
const doi = (name: string): CitedWork => ({ identifiers: { doi: `10.5555/${name}` } });
const paper = (name: string, fields: Partial<KeptRecord> = {}): KeptRecord =>
  recordOf({
    id: `10.5555/${name}`,
    title: `On ${name}`,
    abstract: `Of ${name}.`,
    source: 'doi',
    identifiers: { doi: `10.5555/${name}` },
    ...fields,
  });

/** A list of references that comes without its paper. */
const LIST = { part: 'references', source: 'opencitations', title: '', abstract: '' } as const;

export function testCitations(get: () => OperatedIndex): void {
  const arrives = (record: KeptRecord) => arrive(get().builder, record);
  /** The ids of the papers that cite a DOI, by falling years. */
  const citing = (name: string): Promise<string[]> =>
    get().source.view(async (view) => {
      const [found = []] = await view.citing([[idKeyOf(`10.5555/${name}`)]]);
      const placed = await view.newestFirst(found, { most: 10 });
      const documents = await view.documents(placed.map(({ document }) => document));
      return documents.map((one) => one?.id.slice('10.5555/'.length) ?? 'damaged');
    });
  const references = (name: string) =>
    get().source.view(async (view) => {
      const [number] = await view.withIds([`10.5555/${name}`]);
      return (await view.references([number as number]))[0];
    });
  const sound = async (): Promise<void> =>
    expect((await get().index.verify(VERIFY)).problems).toEqual([]);

  describe('citations', () => {
    it('are found from both ends, whichever paper came first', async () => {
      await arrives(paper('new', { year: 2020, references: [doi('old'), doi('absent')] }));
      await arrives(paper('old', { year: 1990 }));
      await arrives(paper('middle', { year: 2001, references: [doi('old')] }));
      expect(await citing('old')).toEqual(['new', 'middle']);
      expect(await citing('absent')).toEqual(['new']);
      expect(await references('new')).toEqual({
        count: 2,
        works: [['doi:10.5555/old'], ['doi:10.5555/absent']],
      });
      expect(await references('old')).toEqual({ count: 0, works: [] });
      await sound();
    });

    it('follow the records of a paper: another list, a second source, a removal', async () => {
      await arrives(paper('a', { references: [doi('old'), doi('gone')] }));
      const { updatedAt, ...again } = paper('a', { references: [doi('old')] });
      expect(await arrives({ ...again, updatedAt: updatedAt + 1 })).toBe('updated');
      expect(await citing('gone')).toEqual([]);
      const second = { source: 'openalex', identifiers: { doi: '10.5555/a', openalex: 'W1' } };
      await arrives(paper('a', { ...(second as Partial<KeptRecord>), references: [doi('gone')] }));
      expect(await citing('gone')).toEqual(['a']);
      expect((await references('a'))?.works).toHaveLength(2);
      await sound();
      await get().index.remove(['10.5555/a']);
      expect(await citing('old')).toEqual([]);
      await sound();
    });

    it('keep their lists when a paper gets another abstract', async () => {
      await arrives(paper('a', { references: [doi('old')] }));
      const { updatedAt, ...newer } = paper('a', {
        abstract: 'Another.',
        references: [doi('old')],
      });
      await arrives({ ...newer, updatedAt: updatedAt + 1 });
      await arrives(paper('a', { part: 'notice', id: 'notice', withheld: 'retracted' }));
      expect(await citing('old')).toEqual(['a']);
      await sound();
    });

    it('come in lists of their own, before or after the paper', async () => {
      const list = (name: string, ...cited: CitedWork[]) =>
        paper(name, { ...LIST, id: `list ${name}`, references: cited });
      expect(await arrives(list('a', doi('old'), doi('gone')))).toBe('waiting');
      expect(await citing('old')).toEqual([]);
      await sound();
      await arrives(paper('a', { references: [doi('other')] }));
      await arrives(paper('b'));
      const known: CitedWork = { identifiers: { doi: '10.5555/old', pmid: '7' } };
      expect(await arrives(list('b', known))).toBe('merged');
      expect(await citing('old')).toEqual(['b', 'a']);
      expect(await citing('gone')).toEqual(['a']);
      expect(await references('a')).toEqual({
        count: 2,
        works: [['doi:10.5555/old'], ['doi:10.5555/gone'], ['doi:10.5555/other']],
      });
      await sound();
      // The same again, and with fewer works.
      expect(await arrives(list('b', known))).toBe('unchanged');
      expect(await arrives(list('a', doi('old')))).toBe('updated');
      expect(await citing('gone')).toEqual([]);
      await sound();
      const exported = new Map<string, readonly CitedWork[] | undefined>();
      for await (const one of get().index.records()) exported.set(one.id, one.references);
      // Both lists are as long, so either may come first.
      expect(new Set(exported.get('10.5555/a'))).toEqual(new Set([doi('old'), doi('other')]));
      expect(exported.get('10.5555/b')).toEqual([known]);
      const other = "UPDATE source_records SET fields = replace(fields, '\"doi:', '\"pmid:')";
      await get().damage(`${other} WHERE part = 'references'`);
      const { problems } = await get().index.verify(VERIFY);
      expect(problems).toEqual(Array(2).fill(expect.stringContaining('does not match its hash')));
    });

    it('in lists of their own wait again when their paper goes, and are gone when it is removed', async () => {
      const list = paper('a', { ...LIST, id: 'list', references: [doi('old')] });
      await arrives(list);
      await arrives(paper('a'));
      const deletion = await planToy(get().builder, {
        source: 'doi',
        deletion: { doi: '10.5555/a' },
      });
      await get().builder.apply([deletion], () => []);
      expect(await citing('old')).toEqual([]);
      await sound();
      await arrives(paper('a'));
      expect(await citing('old')).toEqual(['a']);
      await get().index.remove(['10.5555/a']);
      expect(await arrives(list)).toBe('keptAway');
      expect(await citing('old')).toEqual([]);
      await sound();
      await get().index.restore(['10.5555/a']);
      expect(await arrives(list)).toBe('waiting');
      await arrives(paper('a'));
      expect(await citing('old')).toEqual(['a']);
      await sound();
    });

    it('have works with several identifiers, and works that are only printed', async () => {
      const known: CitedWork = { identifiers: { doi: '10.5555/x', pmid: '7' } };
      const printed: CitedWork = { identifiers: {}, text: 'A. Berg. Tides. 1999.' };
      await arrives(paper('a', { references: [printed, known] }));
      const works = [['text:A. Berg. Tides. 1999.'], ['doi:10.5555/x', 'pmid:7']];
      expect(await references('a')).toEqual({ count: 2, works });
      expect(await citing('x')).toEqual(['a']);
      const exported = [];
      for await (const record of get().index.records()) exported.push(record);
      expect(exported[0]?.references).toEqual([printed, known]);
    });

    it('are listed in pages, the newest first', async () => {
      const years = [2003, 2001, 0, 2003, 1999];
      for (const [at, year] of years.entries()) {
        await arrives(paper(`p${at}`, { year, references: [doi('old')] }));
      }
      await get().source.view(async (view) => {
        const [all = []] = await view.citing([[idKeyOf('10.5555/old')]]);
        const listed: string[] = [];
        let after: number | undefined;
        for (let pages = 0; pages < 4; pages++) {
          const page = await view.newestFirst(all, { after, most: 2 });
          const found = await view.documents(page.map(({ document }) => document));
          listed.push(...found.map((one) => one?.id.slice('10.5555/'.length) ?? ''));
          after = page.at(-1)?.position;
          if (page.length < 2) break;
        }
        expect(listed).toEqual(['p3', 'p0', 'p1', 'p4', 'p2']);
      });
    });
  });
}
