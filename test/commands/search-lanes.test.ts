/** `verbatim search` with lanes: a provider on this machine that answers in arXiv's format. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaneTrace } from '../../src/lanes/lane-trace.ts';
import type { Answer } from '../../src/types.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

const OUT_OF_DOMAIN = 'how do sourdough starters resist spoilage moulds';
const IN_DOMAIN =
  'cells that were active together on a maze fire together again during later sleep';
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
  it('asks the lanes when the index has no close match', async () => {
    const answer = await runJson<Answer>(['search', OUT_OF_DOMAIN, '--db', database], { env });
    expect(answer.results[0]).toMatchObject({ d: 'arXiv:2401.00001', q: QUOTE, src: 'arxiv' });
    expect(requests).toBe(1);
  });

  it('prints with --explain which lanes it asked, why, and the outcome', async () => {
    const args = ['search', OUT_OF_DOMAIN, '--explain', '--db', database];
    const { lanes } = await runJson<Answer & { lanes: LaneTrace }>(args, { env });
    expect(lanes).toMatchObject({ outcome: 'served', threshold: 0.55 });
    expect(lanes.c).toBeLessThan(0.55);
    // The response to the first search is cached.
    expect(lanes.reports).toMatchObject([
      { lane: 'arxiv', provider: 'arxiv', outcome: 'cached', documents: 1 },
    ]);
    expect(requests).toBe(1);
    const { stdout } = await runVerbatim(args, { env });
    expect(stdout).toMatch(
      /\nlanes: asked, and their documents are ranked .* \(c 0\.\d+, threshold/,
    );
    expect(stdout).toMatch(/\narxiv +arxiv +cached +1 +\d+\n/);
  });

  it('asks no lane when the index has a close match', async () => {
    const args = ['search', IN_DOMAIN, '--explain', '--db', database];
    const { stdout } = await runVerbatim(args, { env });
    expect(stdout).toContain('\nlanes: not asked, because the index has a close match (c 0.');
    expect(requests).toBe(1);
  });

  it('prints nothing about lanes that are off', async () => {
    const { stdout } = await runVerbatim(['search', OUT_OF_DOMAIN, '--explain', '--db', database]);
    expect(stdout).not.toContain('lanes');
    expect(requests).toBe(1);
  });

  it('names the setting that a lane is missing', async () => {
    const { stderr } = await runVerbatim(['search', OUT_OF_DOMAIN, '--db', database], {
      env: { VERBATIM_LANES: 'arxiv' },
      code: 2,
    });
    expect(stderr).toContain('VERBATIM_LANE_CONTACT');
  });
});
