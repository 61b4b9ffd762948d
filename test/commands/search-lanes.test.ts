/** `verbatim search` with lanes: a provider on this machine that answers in arXiv's format. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaneTrace } from '../../src/lanes/lane-trace.ts';
import type { Answer } from '../../src/types.ts';
import { feedOf } from '../support/lanes/arxiv-stub.ts';
import { type StubServer, startStub } from '../support/lanes/stub-server.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const OUT_OF_DOMAIN = 'how do sourdough starters resist spoilage moulds';
const IN_DOMAIN =
  'cells that were active together on a maze fire together again during later sleep';
const QUOTE = 'Sourdough starters resist spoilage moulds by making acetic acid.';

let database: string;
let arxiv: StubServer;
let env: Record<string, string>;

beforeAll(async () => {
  database = await copySampleIndex();
  const id = 'http://arxiv.org/abs/2401.00001v1';
  arxiv = await startStub(feedOf([{ id, title: 'Sourdough', summary: `Bread spoils. ${QUOTE}` }]));
  env = {
    VERBATIM_LANES: 'arxiv',
    VERBATIM_LANE_CONTACT: 'test@example.org',
    VERBATIM_ARXIV_URL: arxiv.url,
  };
});

afterAll(async () => {
  await arxiv.close();
  await removeDatabase(database);
});

describe('verbatim search with lanes', () => {
  it('asks the lanes when the index has no close match', async () => {
    const answer = await runCommandJson<Answer>(['search', OUT_OF_DOMAIN, '--db', database], {
      env,
    });
    expect(answer.results[0]).toMatchObject({ d: 'arXiv:2401.00001', q: QUOTE, src: 'arxiv' });
    expect(arxiv.requests).toHaveLength(1);
  });

  it('prints with --explain which lanes it asked, why, and the outcome', async () => {
    const args = ['search', OUT_OF_DOMAIN, '--explain', '--db', database];
    const { lanes } = await runCommandJson<Answer & { lanes: LaneTrace }>(args, { env });
    expect(lanes).toMatchObject({ outcome: 'served', threshold: 0.55 });
    expect(lanes.c).toBeLessThan(0.55);
    // The response to the first search is cached.
    expect(lanes.reports).toMatchObject([
      { lane: 'arxiv', provider: 'arxiv', outcome: 'cached', documents: 1 },
    ]);
    expect(arxiv.requests).toHaveLength(1);
    const { stdout } = await runCommand(args, { env });
    expect(stdout).toMatch(
      /\nlanes: asked, and their documents are ranked .* \(c 0\.\d+, threshold/,
    );
    expect(stdout).toMatch(/\narxiv +arxiv +cached +1 +\d+\n/);
  });

  it('asks no lane when the index has a close match', async () => {
    const args = ['search', IN_DOMAIN, '--explain', '--db', database];
    const { stdout } = await runCommand(args, { env });
    expect(stdout).toContain('\nlanes: not asked, because the index has a close match (c 0.');
    expect(arxiv.requests).toHaveLength(1);
  });

  it('prints nothing about lanes that are off', async () => {
    const { stdout } = await runCommand(['search', OUT_OF_DOMAIN, '--explain', '--db', database]);
    expect(stdout).not.toContain('lanes');
    expect(arxiv.requests).toHaveLength(1);
  });

  it('names the setting that a lane is missing', async () => {
    const { stderr } = await runCommand(['search', OUT_OF_DOMAIN, '--db', database], {
      env: { VERBATIM_LANES: 'arxiv' },
      code: 2,
    });
    expect(stderr).toContain('VERBATIM_LANE_CONTACT');
  });
});
