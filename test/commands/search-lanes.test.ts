/** `verbatim search` with lanes: a provider on this machine that answers in arXiv's format. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaneTrace } from '../../src/fallback/lane-trace.ts';
import type { Answer } from '../../src/types.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

const FOREIGN = 'how do sourdough starters resist spoilage moulds';
const LOCAL = 'cells that were active together on a maze fire together again during later sleep';
const QUOTE = 'Sourdough starters resist spoilage moulds by making acetic acid.';

let database: string;
let server: Server;
let requests = 0;
let env: Record<string, string>;

beforeAll(async () => {
  database = await copySampleIndex();
  server = createServer((request, response) => {
    requests++;
    const query = new URL(request.url ?? '', 'http://localhost').searchParams.get('search_query');
    response
      .writeHead(200, { 'Content-Type': 'application/atom+xml' })
      .end(
        `<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query: search_query=${query}` +
          '&amp;id_list=</title><entry><id>http://arxiv.org/abs/2401.00001v1</id>' +
          `<title>Sourdough</title><summary>Bread spoils. ${QUOTE}</summary>` +
          '<published>2024-01-01T10:00:00Z</published></entry></feed>',
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  env = {
    VERBATIM_LANES: 'arxiv',
    VERBATIM_LANE_CONTACT: 'test@example.org',
    VERBATIM_ARXIV_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
});

afterAll(async () => {
  server.close();
  await removeDatabase(database);
});

describe('verbatim search with lanes', () => {
  it('asks them where the index has nothing close', async () => {
    const answer = await runJson<Answer>(['search', FOREIGN, '--db', database], { env });
    expect(answer.results[0]).toMatchObject({ d: 'arXiv:2401.00001', q: QUOTE, src: 'arxiv' });
    expect(requests).toBe(1);
  });

  it('says with --explain which were asked, why, and what came of it', async () => {
    const args = ['search', FOREIGN, '--explain', '--db', database];
    const { lanes } = await runJson<Answer & { lanes: LaneTrace }>(args, { env });
    expect(lanes).toMatchObject({ outcome: 'served', threshold: 0.55 });
    expect(lanes.c).toBeLessThan(0.55);
    // The answer of a moment ago is kept.
    expect(lanes.reports).toMatchObject([
      { lane: 'arxiv', provider: 'arxiv', outcome: 'cached', documents: 1 },
    ]);
    expect(requests).toBe(1);
    const { stdout } = await runVerbatim(args, { env });
    expect(stdout).toMatch(/\nlanes: asked, and their documents ranked .* \(c 0\.\d+, asked below/);
    expect(stdout).toMatch(/\narxiv +arxiv +cached +1 +\d+\n/);
  });

  it('asks none where the index has something close', async () => {
    const args = ['search', LOCAL, '--explain', '--db', database];
    const { stdout } = await runVerbatim(args, { env });
    expect(stdout).toContain('\nlanes: not asked, the index has something close (c 0.');
    expect(requests).toBe(1);
  });

  it('says nothing of lanes that are off', async () => {
    const { stdout } = await runVerbatim(['search', FOREIGN, '--explain', '--db', database]);
    expect(stdout).not.toContain('lanes');
    expect(requests).toBe(1);
  });

  it('explains a setting that a lane lacks', async () => {
    const { stderr } = await runVerbatim(['search', FOREIGN, '--db', database], {
      env: { VERBATIM_LANES: 'arxiv' },
      code: 2,
    });
    expect(stderr).toContain('VERBATIM_LANE_CONTACT');
  });
});
