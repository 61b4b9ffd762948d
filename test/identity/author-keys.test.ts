import { describe, expect, it } from 'vitest';
import { authorKeysOf, nameKeysOf, wantedAuthorKeys } from '../../src/identity/author-keys.ts';
import { recordOf } from './records.ts';

const ORCID = '0000-0002-1825-0097';

describe('the key of an author', () => {
  it.each([
    ['Ana Silva', 'Silva, Ana'],
    ['Ana Silva', 'SILVA ANA'],
    ['José Núñez-Pérez', 'nunez perez, jose'],
    ["Sean O'Neil", 'O’Neil, Sean'],
    ['J. P. Berg', 'Berg, J.P.'],
    ['J. P. Berg', 'Berg JP'],
    ['Jean-Paul Berg', 'Jean Paul Berg'],
    ['Anna Berg Jr.', 'Berg, Anna, Jr'],
    ['王小明', ' 王小明'],
    [ORCID, `https://orcid.org/${ORCID}`],
  ])('is the same for %s and %s', (one, other) => {
    expect(wantedAuthorKeys([one])).toHaveLength(1);
    expect(wantedAuthorKeys([one])).toEqual(wantedAuthorKeys([other]));
  });

  it.each([
    ['Ana Silva', 'A. Silva'],
    ['Ana Silva', 'Ana Maria Silva'],
    ['Ana Silva', 'Anas Ilva'],
    ['J. P. Berg', 'P. J. Berg'],
    ['0000-0002-1825-0097', '0000-0002-1694-233X'],
  ])('is another one for %s and %s', (one, other) => {
    expect(wantedAuthorKeys([one])).not.toEqual(wantedAuthorKeys([other]));
  });

  it('does not exist without letters', () => {
    expect(wantedAuthorKeys(['…', ' , '])).toEqual([]);
    expect(nameKeysOf(['?', 'Ana Silva', 'Silva Ana'])).toHaveLength(1);
  });
});

describe('the keys of records', () => {
  const paper = recordOf({ authors: ['Ana Silva', 'Bo Dahl'], details: { orcids: [ORCID] } });

  it('are those of all names and ORCIDs, each once', () => {
    const other = recordOf({ authors: ['Silva A', 'Dahl, Bo'] });
    expect(authorKeysOf([paper, other])).toEqual(
      wantedAuthorKeys(['Ana Silva', 'Bo Dahl', 'A Silva', ORCID]),
    );
  });

  it('come from papers only', () => {
    for (const part of ['abstract', 'notice', 'merged', 'removed'] as const) {
      expect(authorKeysOf([{ ...paper, part }])).toEqual([]);
    }
  });
});
