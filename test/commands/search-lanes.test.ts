/** `verbatim search` and `verbatim verify` with lanes: a provider on this machine that answers in arXiv's format. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

describe('verbatim verify with lanes', () => {
  const bibtex =
    '@misc{bread, title = {Sourdough}, eprint = {2401.00001}, archiveprefix = {arXiv}}\n@misc{none, title = {A loaf that nobody ever baked or described}}';

  it('asks them about what the index does not have, only if it is told to', async () => {
    const path = join(database, '..', 'references.bib');
    await writeFile(path, bibtex);
    const before = arxiv.requests.length;
    const args = ['verify', path, '--db', database];
    const local = await runCommand(args, { env, code: 1 });
    expect(local.stdout).toMatch(/: bread: not in the index/);
    expect(arxiv.requests).toHaveLength(before);

    const asked = await runCommand([...args, '--lanes', 'all'], { env, code: 1 });
    expect(asked.stdout).toMatch(/: bread: ok, found at arxiv\n/);
    expect(asked.stdout).toMatch(/: none: not in the index/);
    expect(asked.stderr).toContain('1 of 2 references do not match the index');
    expect(arxiv.requests.length).toBeGreaterThan(before);
  });

  it('is a mistake where no lane is on', async () => {
    const path = join(database, '..', 'references.bib');
    const args = ['verify', path, '--db', database, '--lanes', 'arxiv'];
    const { stderr } = await runCommand(args, { code: 2 });
    expect(stderr).toContain('no lane is on');
  });
});
