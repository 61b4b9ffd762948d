/** Documents of an earlier version get their records, and their keys find them. */
import { expect, it, onTestFinished } from 'vitest';
import { doiOf, hashKey, keysOf } from '../../../src/database/migrations/frozen/document-keys.ts';
import { hashKey as hashKeyNow, keysOf as keysOfNow } from '../../../src/identity/record-keys.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { recordOf } from '../../identity/records.ts';
import { expectSound } from '../../index/memory-index.ts';
import { arrive, documentsIn } from '../../index/toy-incoming-records.ts';
import { openMigrated } from './open-migrated.ts';
import { papers, unpackStored } from './stored-databases.ts';

const DOI = '10.5555/ecology-keystone-predators';

it('documents of the version before get records', async () => {
  const db = await openMigrated(await unpackStored(6));
  onTestFinished(() => {
    db.close();
  });
  const documents = documentsIn(db);
  expect(documents.map(({ id, identifiers }) => [id, identifiers])).toEqual(
    papers
      .map(({ id, doi }) => (id === undefined ? [doi?.toLowerCase(), { doi: DOI }] : [id, {}]))
      .sort(),
  );
  const [first, second] = documents;
  const writer = createIndexWriter(db);
  expect(arrive(writer, recordOf({ ...second }))).toBe('unchanged');
  const preprint = recordOf({
    ...first,
    id: 'arXiv:9801001',
    abstract: '',
    identifiers: { arxiv: 'hep-ex/9801001' },
    source: 'arxiv',
  });
  expect(arrive(writer, preprint)).toBe('merged');
  expect(documentsIn(db)).toMatchObject([
    { id: DOI, abstract: first?.abstract },
    ...documents.slice(1).map(({ id }) => ({ id })),
  ]);
  expectSound(db);
});

// Step 7 has a frozen copy of the code that makes keys. This holds until today's code changes; then
// the step that converts to the new keys has a test of its own, and this one goes.
it.each([
  {
    id: 'sample:tides',
    title: 'How the tides of the North Sea rise',
    year: 1998,
    author: 'A. Berg',
  },
  { id: '10.5555/TIDES', title: 'How the tides of the North Sea rise', year: 0, author: 'A. Berg' },
  { id: '10.48550/arXiv.2401.00001', title: 'Tides', year: 2024, author: 'Ana van Dam Jr.' },
  {
    id: '10.5555.1/x',
    title: 'Über die Gezeiten der Nordsee',
    year: 1998,
    author: 'Bergström, Bo',
  },
  { id: '10.55/x', title: 'How the tides of the North Sea rise', year: 1998, author: '' },
])('the keys of $id with "$title" are those of today', ({ author, ...document }) => {
  const doi = doiOf(document.id);
  const identifiers = doi === undefined ? {} : { doi };
  const now = keysOfNow(recordOf({ ...document, authors: [author], identifiers }));
  const frozen = keysOf({ ...document, firstAuthor: author });
  expect([...frozen].sort()).toEqual([...now].sort());
  expect(frozen.map(hashKey)).toEqual(frozen.map(hashKeyNow));
});
