import { describe, expect, it } from 'vitest';
import { createDamageRegister } from '../../../src/database/damage/damage-register.ts';
import type { Log } from '../../../src/log.ts';

function open() {
  const lines: string[] = [];
  const write = (event: string, { part }: { part?: unknown } = {}) => {
    lines.push(`${event} ${String(part)}`);
  };
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Log;
  let time = 0;
  return { lines, register: createDamageRegister(log, () => ++time) };
}

const postings = { part: 'postings', isBlocking: true, reason: 'postings: page 7' };
const usage = { part: 'usage_days', isBlocking: false, reason: 'usage_days: page 9' };

describe('the register of damage', () => {
  it('logs a part once and keeps the time at which it was noticed', () => {
    const { lines, register } = open();
    register.report(usage);
    register.report(usage);
    expect(lines).toEqual(['damaged usage_days']);
    expect(register.all()).toEqual([{ ...usage, noticedAt: 1 }]);
    expect(register.blockingReason()).toBeUndefined();
  });

  it('logs a part again that turns out to be blocking, and does not take that back', () => {
    const { lines, register } = open();
    register.report({ ...postings, isBlocking: false });
    register.report(postings);
    register.report({ ...postings, isBlocking: false });
    expect(lines).toEqual(['damaged postings', 'damaged postings']);
    expect(register.blockingReason()).toBe(postings.reason);
    expect(register.all()).toMatchObject([{ noticedAt: 1 }]);
  });

  it('forgets what a check does not find', () => {
    const { lines, register } = open();
    register.report(postings);
    register.report(usage);
    register.beginCheck()([usage]);
    expect(register.all()).toEqual([{ ...usage, noticedAt: 2 }]);
    expect(lines.at(-1)).toBe('damage_gone postings');
  });

  it('forgets the parts of a file that was replaced', () => {
    const { lines, register } = open();
    register.report(postings);
    register.report(usage);
    register.forget((part) => part === 'postings');
    expect(register.all()).toMatchObject([usage]);
    expect(lines.at(-1)).toBe('damage_gone postings');
  });

  it('keeps what is reported while a check runs', () => {
    const { register } = open();
    register.report(usage);
    const endCheck = register.beginCheck();
    register.report(postings);
    endCheck([]);
    expect(register.all()).toMatchObject([{ part: 'postings' }]);
    register.beginCheck()([]);
    expect(register.all()).toEqual([]);
  });
});
