/** A service that learns, so that the index answers the next time. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/types.ts';
import { expectAudited, search } from '../../http/contract.ts';
import { runJson, runVerbatim } from '../../support/verbatim.ts';
import { answering, fakeLanes, laneDocumentOf } from '../fake-lanes.ts';
import { type Running, serveWith } from '../serve-with-lanes.ts';

const OUT_OF_DOMAIN = 'sourdough starters resist spoilage moulds by acetic acid';
const sourdough = laneDocumentOf({
  id: '10.5555/sourdough',
  identifiers: { doi: '10.5555/sourdough' },
  year: 2020,
  title: 'Antifungal activity of sourdough starters',
  lane: 'web',
  authors: ['Ada Berg'],
  abstract: 'Bread spoils. Sourdough starters resist spoilage moulds by making acetic acid.',
});

async function ask(running: Running): Promise<Answer> {
  const got = await search(running, { query: OUT_OF_DOMAIN });
  expect(got.status).toBe(200);
  return JSON.parse(got.text) as Answer;
}

function untilLearned({ log }: Running, documents: number): Promise<void> {
  const learned = (): unknown[] => log.filter(({ event }) => event === 'learned');
  return expect
    .poll(learned)
    .toMatchObject(documents === 0 ? [] : [{ documents }]) as unknown as Promise<void>;
}

describe('a service that learns', () => {
  it('answers the same question from the index the next time, and asks no lane', async () => {
    const lanes = fakeLanes(answering([sourdough]));
    const running = await serveWith(lanes, { learn: true });
    const first = await ask(running);
    expect(first.results[0]).toMatchObject({ d: sourdough.id, src: 'web' });
    await untilLearned(running, 1);
    const second = await ask(running);
    expect(second.results[0]).toMatchObject({ d: sourdough.id, src: 'corpus' });
    expect(second.results[0]?.q).toBe(first.results[0]?.q);
    expect(second.c).toBeGreaterThan(first.c);
    expect(lanes.asked).toHaveLength(1);
    await runVerbatim(['index', 'verify', '--db', running.database]);
    await expectAudited(running.database);
  });

  it('learns documents that no search waits for', async () => {
    const lanes = fakeLanes(answering([]));
    const running = await serveWith(lanes, { learn: true });
    lanes.answerLate([sourdough]);
    await untilLearned(running, 1);
    expect((await ask(running)).results[0]).toMatchObject({ d: sourdough.id, src: 'corpus' });
  });

  it('learns no retracted paper that arrives late', async () => {
    const lanes = fakeLanes();
    const running = await serveWith(lanes, { learn: true });
    const retracted = { ...sourdough, withheld: 'retracted' as const };
    const sound = { ...sourdough, id: '10.5555/rye', identifiers: { doi: '10.5555/rye' } };
    lanes.answerLate([retracted, { ...sound, title: 'Rye bread', abstract: 'Rye keeps long.' }]);
    await untilLearned(running, 1);
    await running.stop();
    expect(readFileSync(running.database).includes('Sourdough starters')).toBe(false);
  });

  it('learns what is queued before it stops', async () => {
    const many = Array.from({ length: 9 }, (_, i) => ({
      ...sourdough,
      id: `10.5555/s${i}`,
      identifiers: { doi: `10.5555/s${i}` },
      title: `Sourdough, part ${i}`,
    }));
    const running = await serveWith(fakeLanes(answering(many)), { learn: true });
    await ask(running);
    await running.stop();
    const { documents } = await runJson<{ documents: number }>([
      ...['index', 'stats', '--db', running.database],
    ]);
    expect(documents).toBe(214 + many.length);
    await runVerbatim(['index', 'verify', '--db', running.database]);
  });

  it.each([
    ['is not turned on', sourdough, false],
    ['must not store the documents', { ...sourdough, isStorable: false }, true],
    ['has only titles', { ...sourdough, abstract: '' }, true],
  ])('learns nothing if it %s', async (_, document, learn) => {
    const running = await serveWith(fakeLanes(answering([document])), { learn });
    await ask(running);
    await running.stop();
    expect(running.log.filter(({ event }) => event === 'learned')).toEqual([]);
    const words = readFileSync(running.database).includes('Sourdough starters');
    expect(words).toBe(false);
  });

  it('does not learn a paper again that the index has under another id', async () => {
    const lanes = fakeLanes(answering([sourdough]));
    const running = await serveWith(lanes, { learn: true, laneConfidence: 1 });
    await ask(running);
    await untilLearned(running, 1);
    lanes.behave(answering([{ ...sourdough, id: 'arXiv:2401.00001', identifiers: {} }]));
    await ask(running);
    await running.stop();
    const { documents } = await runJson<{ documents: number }>([
      ...['index', 'stats', '--db', running.database],
    ]);
    expect(documents).toBe(215);
  });
});
