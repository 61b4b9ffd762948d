/** Notices about papers join them in either order, and several about one paper stay apart. */
import { expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createDocumentReader } from '../../src/index/documents/documents.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { prepareReadSources } from '../../src/index/documents/sources-of-documents.ts';
import type { Notice } from '../../src/types.ts';
import { recordOf } from '../identity/records.ts';
import { expectSound, memoryIndex } from '../index/memory-index.ts';
import { arrive } from '../index/toy-incoming-records.ts';

const DOI = { doi: '10.5555/tides' };
const PAPER = recordOf({
  id: '10.5555/tides',
  source: 'doi',
  title: 'Tides',
  year: 2019,
  identifiers: DOI,
});

function noticeOf(name: string, notice: Notice) {
  const retracts = notice.kind === 'retraction' ? { withheld: 'retracted' as const } : {};
  const fields = {
    id: name,
    source: 'retraction-watch',
    part: 'notice',
    identifiers: DOI,
  } as const;
  return { ...recordOf({ ...fields, title: '', authors: [] }), ...retracts, notice };
}

const CONCERN = noticeOf('retraction-watch:1', {
  kind: 'expression_of_concern',
  date: '2020-01-01',
  id: '',
});
const RETRACTION = noticeOf('retraction-watch:2', {
  kind: 'retraction',
  date: '2021-01-23',
  id: '10.5555/notice',
});

it.each([
  ['after the paper', [PAPER, CONCERN, RETRACTION]],
  ['before the paper', [CONCERN, RETRACTION, PAPER]],
])('come %s', (_, records) => {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  for (const record of records) arrive(writer, record);
  const found = readTides(db);
  const notices = found.records.flatMap(({ record }) => record.notice ?? []);
  expect(notices).toHaveLength(2);
  expect(notices).toEqual(expect.arrayContaining([CONCERN.notice, RETRACTION.notice]));
  expect(found.merged).toMatchObject({
    document: { id: '10.5555/tides', title: 'Tides', year: 2019 },
    withheld: 'retracted',
  });
  expectSound(db);
});

it('the same notice again changes nothing, and a corrected one replaces it', () => {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  arrive(writer, PAPER);
  expect(arrive(writer, CONCERN)).toBe('merged');
  expect(arrive(writer, CONCERN)).toBe('unchanged');
  const later: Notice = { kind: 'expression_of_concern', date: '2020-02-01', id: '' };
  expect(arrive(writer, noticeOf('retraction-watch:1', later))).toBe('updated');
  const found = readTides(db);
  expect(found.records.flatMap(({ record }) => record.notice ?? [])).toEqual([later]);
  expectSound(db);
});

function readTides(db: Connection) {
  return prepareReadSources(db)(createDocumentReader(db).withId('10.5555/tides') as number);
}
