import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../src/text/quotable.ts';
import { isSectionLabel } from '../../src/text/split-sentences.ts';

const NOTICES = [
  '© 2019 Verdant Press Ltd. All rights reserved.',
  '© 2019 Verdant Press B.V.',
  'Copyright © 2020 The Authors. Published by Verdant Press B.V. All rights reserved.',
  'Copyright © 2020. Published by Verdant Press Inc. on behalf of the Society of Tides.',
  'Copyright: © 2019 Berg et al. This is an open access article distributed under the terms of ' +
    'the Creative Commons Attribution License, which permits unrestricted use.',
  '(c) 2004 Berg-Shore, Inc.',
  'Copyright (C) 2004 S. Berg AG, Basel.',
  'Copyright 2004 by the Society of Tides.',
  'Crown Copyright © 2011. Published by Verdant Press.',
  '© The Author(s) 2019. Published by Shore University Press on behalf of the Society of Tides.',
  '© 2021. The Author(s), under exclusive licence to Verdant Nature Ltd.',
  '© Author(s) (or their employer(s)) 2019. Re-use permitted under CC BY-NC. No commercial re-use.',
  'Published by Verdant B.V.',
  'Published 2020 by Berg & Sons, Ltd.',
  'Licensee TIDE, Basel, Switzerland.',
  'This is an open access article under the CC BY license (http://example.org/licenses/by/4.0/).',
  'This article is an open access article distributed under the terms and conditions of the ' +
    'Creative Commons Attribution (CC BY) license.',
  'This article is protected by copyright. All rights reserved.',
  '(PsycINFO Database Record (c) 2019 APA, all rights reserved).',
  '(PsycInfo Database Record (c) 2020 APA, all rights reserved)',
  '[ABSTRACT FROM AUTHOR]',
  '[ABSTRACT FROM AUTHOR] Copyright of Tides is the property of Shore Press and its content may ' +
    'not be copied or emailed to multiple sites. However, users may print, download, or email ' +
    'articles for individual use. This abstract may be abridged.',
  '(ABSTRACT TRUNCATED AT 250 WORDS)',
  'For permissions, please e-mail: tides@example.org.',
  'DOI: http://dx.doi.org/10.5555/shore.00001.001',
  '[DOI: 10.5555/1.3531844]',
  'https://doi.org/10.5555/shore.7.',
];

/** Sentences about notices, or that only look like notices. */
const SENTENCES = [
  'Copyright law protects a work for 70 years.',
  'Copyright 1998 amendments changed little.',
  'The mark © is put in front of a year.',
  '© is a symbol that few read.',
  '(c) 2004 was a dry year.',
  '© 2019 was written on every page that we scanned.',
  'Published by hand, the leaflets reached few.',
  'This paper studies open access publishing under Creative Commons licenses.',
  'All rights reserved for fishers were listed.',
  'Abstract algebra was taught.',
  'Abstract interpretation finds errors.',
  'Summary statistics were computed.',
  'Trial registration: NCT00000000.',
  'TRIAL REGISTRATION ISRCTN00000000.',
  'Authors published by themselves.',
  'Licensee banks lent more.',
  'Psychology records were read.',
  'Funding: the Society of Tides.',
  'DOI: see the page of the journal.',
  'Data are at https://doi.org/10.5555/shore.7.',
  'DOI: 10.5555/shore.7 has the data.',
];

const HEADINGS = [
  'Abstract: Soil holds carbon.',
  'ABSTRACT Soil holds carbon.',
  'Abstract. Soil holds carbon.',
  'Abstract — Soil holds carbon.',
  'Abstract—Soil holds carbon.',
  'Abstract\nSoil holds carbon.',
  'Abstract\n\nSoil holds carbon.',
  'SUMMARY: Soil holds carbon.',
  'Summary\n\nSoil holds carbon.',
];

function textsOf(abstract: string): string[] {
  return sentencesOf(abstract).map(({ start, end }) => abstract.slice(start, end));
}

describe('sentencesOf', () => {
  it.each(NOTICES)('drops %j', (notice) => {
    expect(textsOf(notice)).toEqual([]);
    expect(textsOf(`Soil holds carbon. ${notice}`)).toEqual(['Soil holds carbon.']);
    expect(textsOf(`Soil holds carbon.\n\n${notice}`)).toEqual(['Soil holds carbon.']);
  });

  it.each(SENTENCES)('keeps %j', (sentence) => {
    expect(textsOf(sentence)).toEqual([sentence]);
    expect(textsOf(`Soil holds carbon. ${sentence}`)).toEqual(['Soil holds carbon.', sentence]);
  });

  it.each(HEADINGS)('drops the heading of %j', (abstract) => {
    expect(textsOf(abstract)).toEqual(['Soil holds carbon.']);
  });

  it('drops a heading without a colon before a sentence', () => {
    expect(textsOf('Abstract We dug. It fell.')).toEqual(['We dug.', 'It fell.']);
    expect(textsOf('AbstractThe soil holds carbon.')).toEqual(['The soil holds carbon.']);
    expect(textsOf('We dug. Abstract We dug.')).toEqual(['We dug.', 'Abstract We dug.']);
  });

  it('drops marks without a period before them', () => {
    const marks = [
      '[ABSTRACT FROM AUTHOR]',
      '(ABSTRACT TRUNCATED AT 250 WORDS)',
      '© 2019 Berg AG.',
    ];
    for (const mark of marks) expect(textsOf(`It fell ${mark}`)).toEqual(['It fell']);
    expect(textsOf('It fell.(ABSTRACT TRUNCATED)')).toEqual(['It fell.']);
  });

  it('drops nothing but boilerplate and section labels', () => {
    const piece = fc.constantFrom(...NOTICES, ...SENTENCES, 'AIM:', 'Abstract', 'It fell');
    const separator = fc.constantFrom(' ', '\n', '\n\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, separator)), (pieces) => {
        const text = pieces.flat().join('');
        let position = 0;
        for (const { start, end } of [
          ...sentencesOf(text),
          { start: text.length, end: text.length },
        ]) {
          const gaps = text
            .slice(position, start)
            .trim()
            .split(/\n\s*\n/);
          for (const gap of gaps)
            expect(isSectionLabel(gap) || textsOf(gap).length === 0).toBe(true);
          position = end;
        }
      }),
    );
  });

  it.each(['(', '© 2019 ', 'Abstract ', '[ABSTRACT FROM ', ' © 2019 Berg'])(
    'handles a text of 1 MB of %s',
    (unit) => {
      expect(() => sentencesOf(unit.repeat(1_000_000 / unit.length))).not.toThrow();
    },
  );
});
