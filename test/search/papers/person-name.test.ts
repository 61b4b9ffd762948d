/** Names in parts. */
import { describe, expect, it } from 'vitest';
import { splitName } from '../../../src/search/papers/person-name.ts';

describe('a name in parts', () => {
  it.each<[name: string, family: string, given: string, suffix: string]>([
    ['Anna Berg', 'Berg', 'Anna', ''],
    ['A. B. Berg', 'Berg', 'A. B.', ''],
    ['Berg, Anna', 'Berg', 'Anna', ''],
    ['Berg, Anna, Jr.', 'Berg', 'Anna', 'Jr.'],
    ['Berg, Jr., Anna', 'Berg', 'Anna', 'Jr.'],
    ['Jan van der Berg', 'van der Berg', 'Jan', ''],
    ['Martin Luther King Jr.', 'King', 'Martin Luther', 'Jr.'],
    ['Berg A', 'Berg', 'A', ''],
    ['Berg AB', 'Berg', 'AB', ''],
    ["O'Brien C", "O'Brien", 'C', ''],
    ['Minghui Hu 0001', 'Hu', 'Minghui', ''],
    ['OpenAI', 'OpenAI', '', ''],
    ['ATLAS Collaboration', 'ATLAS Collaboration', '', ''],
    [
      'Centers for Disease Control and Prevention',
      'Centers for Disease Control and Prevention',
      '',
      '',
    ],
    ['  Anna   Berg ', 'Berg', 'Anna', ''],
    ['bell hooks', 'hooks', 'bell', ''],
    ['山田 太郎', '山田', '太郎', ''],
    ['', '', '', ''],
  ])('%s', (name, family, given, suffix) => {
    expect(splitName(name)).toEqual({ family, given, suffix });
  });
});
