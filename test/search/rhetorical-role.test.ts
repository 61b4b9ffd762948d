import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rhetoricalRole } from '../../src/search/rhetorical-role.ts';

const SENTENCES = {
  announcement: [
    'In this paper, we propose a new method for parsing.',
    'This work addresses the problem of slow tides.',
    'Here we carefully investigated the role of sleep.',
    'We have recently developed a device for divers.',
    'The aim of this large trial was to compare two drugs.',
    'To determine whether bees sleep, hives were filmed.',
    'BACKGROUND Sleep is thought to help memory.',
    'METHODS We show slides to 40 students.',
    'OBJECTIVE To find what improves memory.',
  ],
  finding: [
    'We show that the moon moves the sea.',
    'The results on both data sets clearly indicate a loss.',
    'We propose a parser and demonstrate that it is exact.',
    'It was found that bees rest at night.',
    'Our method outperforms all others.',
    'CONCLUSION Sleep may help memory.',
    'RESULTS In this study we asked 40 students.',
  ],
  background: [
    'Despite recent progress, tides surprise.',
    'Sleep is one of the most important needs.',
    'Deep networks have attracted much interest.',
    'Little is known about bees.',
    'The cause is not fully understood.',
    'How birds navigate remains largely unclear.',
  ],
  other: [
    '',
    'The sea rose and fell twice a day.',
    'Memory improved by 20 %.',
    'Results of the papers.',
    'The proposal was paid for by the city.',
  ],
};

describe('rhetoricalRole', () => {
  it.each(
    Object.entries(SENTENCES).flatMap(([role, all]) => all.map((sentence) => [role, sentence])),
  )('is %s for "%s"', (role, sentence) => {
    expect(rhetoricalRole(sentence as string)).toBe(role);
  });

  it('does not depend on the sentence before', () => {
    const any = fc.constantFrom(...Object.values(SENTENCES).flat());
    fc.assert(
      fc.property(any, any, (before, sentence) => {
        const role = rhetoricalRole(sentence);
        rhetoricalRole(before);
        expect(rhetoricalRole(sentence)).toBe(role);
      }),
    );
  });
});
