import { describe, expect, it } from 'vitest';
import { createEntryNormalizer } from '../../src/ingest/normalize-entries.ts';
import type { SourceRecord } from '../../src/types.ts';
import { recordOf } from './read-format.ts';

const entryOf = (document: SourceRecord) => ({ line: 1, document });

describe('createEntryNormalizer', () => {
  it('gives a later record the same id whether an earlier one was skipped or normalized', () => {
    const first = entryOf(recordOf({ id: 'berg2020', title: 'Tides of the bay' }));
    const second = entryOf(recordOf({ id: 'berg2020', title: 'Sand of the cape' }));
    const [whole, resumed] = [0, 1].map(() => createEntryNormalizer({ name: 'bibtex' }, 'a.bib'));
    whole?.normalize(first);
    resumed?.skip(first);
    const expected = whole?.normalize(second);
    expect(expected).toMatchObject({
      record: { id: expect.stringMatching(/^a\.bib::berg2020-\w/) },
    });
    expect(resumed?.normalize(second)).toEqual(expected);
  });

  it.each(['[No abstract available]', 'NA', 'nan', '-'])(
    'takes neither %j as an abstract nor names that say nothing as authors',
    (abstract) => {
      const authors = ['nan', 'Anna Berg', '[No author name available]'];
      const { normalize } = createEntryNormalizer({ name: 'ris' }, 'a.ris');
      const entry = entryOf(recordOf({ title: 'Tides', abstract, authors }));
      expect(normalize(entry)).toMatchObject({ record: { abstract: '', authors: ['Anna Berg'] } });
      const supplement = { line: 1, supplement: { identifiers: { s2: '7' }, abstract } };
      expect(normalize(supplement)).toMatchObject({ record: { abstract: '', part: 'abstract' } });
    },
  );

  it('names a record as before where its authors are read otherwise now', () => {
    const idOf = (authors: string[], firstAuthor?: string): unknown => {
      const { normalize } = createEntryNormalizer({ name: 'ris' }, 'a.ris');
      const document = recordOf({ title: 'Tides of the bay', authors });
      return normalize({ line: 1, document, ...(firstAuthor && { firstAuthor }) });
    };
    const named = (id: string) => ({ record: { id: `a.ris::${id}` } });
    // These ids were made by version 0.1.
    expect(idOf(['Berg A.'])).toMatchObject(named('b09b08f3339434ad'));
    expect(idOf(['A. Berg'], 'Berg A.')).toMatchObject(named('b09b08f3339434ad'));
    expect(idOf(['nan'])).toMatchObject(named('404b17d463a02fe8'));
  });

  it('does not look at a skipped record where ids do not depend on the file', () => {
    const untouchable = new Proxy(recordOf({}), {
      get: () => {
        throw new Error('the record was read');
      },
    });
    const normalizer = createEntryNormalizer({ name: 'openalex' }, 'works.jsonl');
    expect(() => normalizer.skip(entryOf(untouchable))).not.toThrow();
    expect(() => normalizer.normalize(entryOf(untouchable))).toThrow('the record was read');
  });
});
