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
