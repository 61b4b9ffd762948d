/** `verifyTitleIndex` finds missing and superfluous keys. */
import { describe } from 'vitest';
import { findsEach, numberOf } from './damage.ts';

describe('verifyIndex, for the title index,', () => {
  findsEach([
    [
      'a missing key',
      `DELETE FROM title_keys WHERE document = ${numberOf('b')}`,
      'b: a key of its title is missing',
    ],
    [
      'a key without a document',
      'INSERT INTO title_keys (key, document) VALUES (1, 99)',
      'keys of titles without a document: 1',
    ],
  ]);
});
