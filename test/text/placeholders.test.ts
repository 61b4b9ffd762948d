import { describe, expect, it } from 'vitest';
import { isAbstractPlaceholder, isNamePlaceholder } from '../../src/text/placeholders.ts';

describe('isAbstractPlaceholder', () => {
  it.each([
    ...[
      '[No abstract available]',
      'no abstract available.',
      'No abstract',
      'Abstract not available',
    ],
    ...[
      'ABSTRACT UNAVAILABLE',
      'There is no abstract available.',
      'NA',
      'na',
      'N/A',
      '#N/A',
      'n.a.',
    ],
    ...[
      'null',
      'NULL',
      'nan',
      'NaN',
      '-',
      '--',
      '—',
      '...',
      'None',
      'none.',
      '[none]',
      ' NA\n',
      '',
    ],
  ])('is true for %j', (text) => {
    expect(isAbstractPlaceholder(text)).toBe(true);
  });

  it.each([
    ...['No abstract concepts were learned.', 'None of the tides rose.', 'Nan River floods.'],
    ...['NA was measured.', 'Null results', 'Not available to fishers.', '潮', '7', 'An abstract'],
    `${'-'.repeat(60)} It rose.`,
  ])('is false for %j', (text) => {
    expect(isAbstractPlaceholder(text)).toBe(false);
  });
});

describe('isNamePlaceholder', () => {
  it.each([
    'nan',
    'NaN',
    'NA',
    'n/a',
    'null',
    'None',
    '[No author name available]',
    'No authors listed',
  ])('is true for %j', (name) => {
    expect(isNamePlaceholder(name)).toBe(true);
  });

  it.each(['Nan', 'Na', 'Null', 'Nan Li', 'Anna Na', 'No Author', 'Anonymous', '[Anonymous]', '-'])(
    'is false for %j',
    (name) => {
      expect(isNamePlaceholder(name)).toBe(false);
    },
  );
});
