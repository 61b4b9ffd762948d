import { expect, it } from 'vitest';
import { formats } from '../../src/ingest/formats.ts';
import { sourceOf } from '../../src/ingest/source-schemes.ts';

it.each(formats)('knows whose records the format $name holds', ({ name }) => {
  expect(sourceOf({ name }, 'file')).toBeTypeOf('string');
});

it('tells of a format that nobody has entered', () => {
  expect(() => sourceOf({ name: 'none' }, 'file')).toThrow('the format none has no line');
});
