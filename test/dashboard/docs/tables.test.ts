/** The tables of the API say what the code does. */
import { expect, it } from 'vitest';
import { errors, filterFields } from '../../../src/dashboard/docs/tables.ts';
import { errorTable } from '../../../src/errors.ts';
import { sourceNames } from '../../../src/identity/source-names.ts';
import { paperTypes } from '../../../src/types.ts';

it('the errors have the status and the message that the service sends', () => {
  const kinds: Record<string, { status?: number; message?: string }> = errorTable;
  const rows = errors.rows.map(([status, code = '', message = '']) => {
    return { status: Number(status), code: code.replaceAll('`', ''), message };
  });
  // The library of the connections sends the others.
  const ours = rows.filter(({ code }) => code in kinds);
  expect(ours.length).toBeGreaterThan(20);
  for (const { status, code, message } of ours) {
    expect(kinds[code]?.status, code).toBe(status);
    const sent = kinds[code]?.message?.replaceAll('`', '');
    if (sent === undefined) expect(message, code).toMatch(/^\(.*\)$/);
    else expect(message, code).toBe(sent);
  }
});

it('the filter has every source and every type', () => {
  const rows = new Map(filterFields.rows.map(([name, , rule]) => [name, rule]));
  for (const source of sourceNames) expect(rows.get('`source`')).toContain(`\`${source}\``);
  for (const type of paperTypes) expect(rows.get('`type`')).toContain(`\`${type}\``);
});
