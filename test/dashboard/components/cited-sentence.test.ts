import { describe, expect, it } from 'vitest';
import { highlight } from '../../../src/dashboard/components/cited-sentence.tsx';

describe('a quoted sentence', () => {
  it('is found in its abstract', () => {
    expect(highlight('One. Two. Three.', 'Two.')).toEqual({
      before: 'One. ',
      quote: 'Two.',
      after: ' Three.',
    });
  });
  it.each([
    ['', 'A title'],
    ['One.', 'Two.'],
    ['One.', ''],
  ])('is not found in %j if it is %j', (abstract, quote) => {
    expect(highlight(abstract, quote)).toBeUndefined();
  });
});
