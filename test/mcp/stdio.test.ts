import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPapers, PRINTED_DELAY } from '../http/look-up-papers.ts';
import { callTool, connectOverStdio, type Era } from '../support/mcp.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runCommand } from '../support/verbatim.ts';

let database: string;

beforeAll(async () => {
  database = await copySampleIndex();
  await addPapers(database);
});

afterAll(() => removeDatabase(database));

describe.each<Era>(['modern', 'legacy'])(
  'verbatim mcp with a client of the %s specification',
  (era) => {
    it('searches and fetches free of charge, and ends with the client', async () => {
      const { client, transport } = await connectOverStdio(database, era);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'verify']);
      for (const { description } of tools) expect(description).toMatch(/ Free\.$/);
      const found = await callTool(client, 'search', { query: 'does sleep help memory', limit: 2 });
      const { results } = found.structuredContent as { results: { id: string; text: string }[] };
      expect(results).toHaveLength(2);
      const german = await callTool(client, 'search', { query: 'Wie hilft der Schlaf?' });
      expect(german.structuredContent?.['notice']).toContain('The question is in German');
      const fetched = await callTool(client, 'fetch', { id: results[0]?.id });
      expect(fetched.structuredContent?.['text']).toContain(results[0]?.text);
      const verified = await callTool(client, 'verify', {
        items: [{ quote: results[0]?.text, id: results[0]?.id }],
      });
      expect(verified.structuredContent).toMatchObject({
        items: [{ verdict: 'exact', id: results[0]?.id }],
      });
      const citing = await callTool(client, 'fetch', { id: 'W77', citations: 'cited_by' });
      expect(citing.structuredContent?.['citations']).toEqual({
        count: 1,
        papers: [
          {
            id: '10.5555/delay',
            title: 'Friction delays the tide in shallow water',
            year: 2023,
            authors: ['Carl Ek'],
          },
        ],
      });
      const cited = await callTool(client, 'fetch', {
        id: '10.5555/delay',
        citations: 'references',
      });
      expect(cited.structuredContent?.['citations']).toMatchObject({
        count: 3,
        papers: [
          { id: '10.5555/tides' },
          { withheld: 'retraction' },
          { text: 'A tide table, 1901.' },
        ],
      });
      const printed = await callTool(client, 'fetch', {
        id: '10.5555/moon,phase',
        citations: 'references',
      });
      expect(printed.structuredContent?.['citations']).toMatchObject({
        papers: [{}, { text: PRINTED_DELAY, id: '10.5555/delay', verdict: 'match' }],
      });
      const among = await callTool(client, 'search', {
        query: 'what delays the tide',
        filter: { cites: ['10.5555/tides'] },
      });
      expect(among.structuredContent).toMatchObject({ results: [{ id: '10.5555/delay' }] });
      const missing = await callTool(client, 'fetch', { id: 'nothing' });
      expect(missing.isError).toBe(true);
      await client.close();
      await expect.poll(() => transport.pid).toBeNull();
    });
  },
);

describe('verbatim mcp', () => {
  it('ends with exit code 1 and a reason if there is no index', async () => {
    const { stdout, stderr } = await runCommand(['mcp', '--db', `${database}.none`], { code: 1 });
    expect(stdout).toBe('');
    expect(stderr).toContain('.none');
  });

  it('teaches with an example', async () => {
    const { stdout } = await runCommand(['mcp', '--help']);
    expect(stdout).toContain('"mcpServers"');
  });
});
