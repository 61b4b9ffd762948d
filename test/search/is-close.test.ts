import { describe, expect, it } from 'vitest';
import { isClose } from '../../src/search/is-close.ts';

describe('an index', () => {
  it('comes close to a question from the threshold of the lanes on', () => {
    expect(isClose(0.3, { laneConfidence: 0.3 })).toBe(true);
    expect(isClose(0.29, { laneConfidence: 0.3 })).toBe(false);
  });

  it.each([0, 1])(
    'is compared with the default threshold if lanes are switched with %d',
    (laneConfidence) => {
      expect(isClose(0.9, { laneConfidence })).toBe(true);
      expect(isClose(0.2, { laneConfidence })).toBe(false);
    },
  );
});
