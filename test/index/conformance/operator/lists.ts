/** Tests of the lists of records, of an index in any database. */
import { describe, expect, it } from 'vitest';
import { recordOf } from '../../../identity/records.ts';
import { arrive } from '../builder/index-under-test.ts';
import type { OperatedIndex } from './suite.ts';

const SOURCE = 'personal refs.bib';
/** More than a page. */
const RECORDS = 505;

export function testLists(get: () => OperatedIndex): void {
  describe('for whoever compares it with files,', () => {
    it('lists the records of files and of bibliographies, page by page', async () => {
      const { builder, index } = get();
      const names = Array.from({ length: RECORDS }, (_, number) => `refs.bib::${number}`);
      await arrive(builder, recordOf({ id: 'tides', title: 'Tides' }), 'a.jsonl');
      const fields = { source: SOURCE, title: 'T', abstract: 'It lay.' } as const;
      for (const id of names) await arrive(builder, recordOf({ ...fields, id }), 'refs.bib');
      // Another record of the first of these papers, and a part that waits.
      const joined = { ...fields, id: 'refs.bib::0', identifiers: { doi: '10.5555/0' } };
      await arrive(builder, recordOf({ ...joined, source: 's2', title: 'S' }), 's2.jsonl');
      const waiting = { id: '', part: 'abstract', source: 's2', identifiers: { s2: '9' } } as const;
      await arrive(builder, recordOf({ ...waiting, abstract: 'It fell.' }), 's2.jsonl');
      await index.remove(['refs.bib::3']);
      const expected = names.filter((id) => id !== 'refs.bib::3').sort();

      for (const lists of [index, builder]) {
        const files = await lists.listFiles(0);
        expect(files.map(({ path }) => path)).toEqual(['a.jsonl', 'refs.bib', 's2.jsonl']);
        expect(await lists.listFiles(files.at(-1)?.number ?? 0)).toEqual([]);
        const personal: string[] = [];
        for (let after = 0; ; ) {
          const page = await lists.listPersonal(SOURCE, after);
          if (page.length === 0) break;
          for (const { record } of page) expect(record).toMatchObject(fields);
          personal.push(...page.map(({ record }) => record.id));
          after = page.at(-1)?.document ?? Number.POSITIVE_INFINITY;
        }
        expect(personal.sort()).toEqual(expected);
        expect(await lists.listPersonal('personal other.bib', 0)).toEqual([]);
        const [, refs = { number: 0 }, s2 = { number: 0 }] = files;
        const range = { first: refs.number, last: s2.number };
        const found: string[] = [];
        for (let after = 0; ; ) {
          const page = await lists.listRecords(range, after);
          if (page.length === 0) break;
          found.push(...page.map(({ record }) => `${record.source} ${record.id}`));
          after = page.at(-1)?.number ?? Number.POSITIVE_INFINITY;
        }
        expect(found.sort()).toEqual([
          ...expected.map((id) => `${SOURCE} ${id}`),
          's2 refs.bib::0',
        ]);
      }
    });
  });
}
