import { describe, expect, it } from 'vitest';
import { canLanesMatch } from '../../src/search/lane-filter.ts';
import type { SearchFilter } from '../../src/types.ts';
import { ask } from './ask-index.ts';

describe('papers of lanes', () => {
  const found = [
    {
      id: '10.5555/old',
      title: 'Moon, old',
      abstract: 'The moon pulls.',
      year: 1999,
      venue: 'Tides',
      authors: ['Ana Silva', 'Bo Dahl'],
    },
    { id: '10.5555/new', title: 'Moon, new', abstract: '', year: 2021, venue: 'Shores' },
    { id: '10.5555/undated', title: 'Moon, undated', abstract: 'It pulls.', year: 0, venue: '' },
  ];

  it.each<[filter: SearchFilter, ids: string[]]>([
    [{ years: { from: 2000, to: 2030 } }, ['10.5555/new']],
    [{ venues: ['TIDES.'] }, ['10.5555/old']],
    [{ hasAbstract: true }, ['10.5555/old', '10.5555/undated']],
    [{ hasAbstract: false }, ['10.5555/new']],
    [{ authors: ['0000-0002-1825-0097', 'silva, ana'] }, ['10.5555/old']],
    [{ authors: ['Silva'] }, []],
    [{ doiPrefixes: ['10.1371/', '10.5555/n'] }, ['10.5555/new']],
  ])('obey %j', async (filter, ids) => {
    const results = (await ask([], found, { filter })).results;
    expect(results.map(({ d }) => d).sort()).toEqual(ids);
  });

  it.each<[filter: SearchFilter | undefined, canMatch: boolean]>([
    [undefined, true],
    [{ years: { from: 1, to: 2 }, venues: ['a'], hasAbstract: true }, true],
    [{ authors: ['Ana Silva', '0000-0002-1825-0097'], doiPrefixes: ['10.1371/'] }, true],
    [{ authors: ['0000-0002-1825-0097'] }, false],
    [{ ids: ['a'] }, false],
    [{ sources: ['arxiv'] }, false],
    [{ types: ['article'] }, false],
    [{ openAccess: true, hasAbstract: true }, false],
  ])('can match %j: %s', (filter, canMatch) => {
    expect(canLanesMatch(filter)).toBe(canMatch);
  });
});
