import { expect, it } from 'vitest';
import { congressField } from '../../../src/ingest/values/congress-field.ts';

it.each([
  ['R', 'Medicine'],
  ['RC31-1245', 'Medicine'],
  ['RK1-715', 'Dentistry'],
  ['QA1-939', 'Mathematics'],
  ['QA75.5-76.95', 'Computer science'],
  ['QA75', 'Computer science'],
  ['QR1-502', 'Immunology and microbiology'],
  ['BL1-50', 'Religion'],
  ['BJ1-1725', 'Philosophy'],
  ['HV1-9960', 'Social sciences'],
  ['GV557-1198.995', undefined],
  ['AS1-945', undefined],
  ['computer science', undefined],
  ['', undefined],
])('the field of class %j is %j', (code, field) => {
  expect(congressField(code)).toBe(field);
});
