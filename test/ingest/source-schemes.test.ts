import { expect, it } from 'vitest';
import { formats } from '../../src/ingest/formats.ts';
import { sourceOf } from '../../src/ingest/source-schemes.ts';

it.each(formats)('has a source for the format $name', ({ name }) => {
  expect(sourceOf({ name }, 'file')).toBeTypeOf('string');
});

it('throws for a format without a source', () => {
  expect(() => sourceOf({ name: 'none' }, 'file')).toThrow('the format none has no line');
});
