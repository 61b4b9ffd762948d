/** The tool `verify` over HTTP: verdicts, prices, and wrong arguments. */
import { afterAll, describe, expect, it } from 'vitest';
import { addAccount, type Caller, expectAudited, send, untilUsage } from '../http/contract.ts';
import { callTool, connectOverHttp, type ToolResult } from '../support/mcp.ts';
import { useService } from '../support/use-service.ts';

const PAPER = 'sample:chemistry-haber-bosch-ammonia';
const TITLE = 'Iron-catalysed synthesis of ammonia from nitrogen and hydrogen';
const OTHER_PAPER = 'sample:psychology-sleep-and-forgetting';
const QUOTE =
  'Raising the temperature speeds it up but shifts the equilibrium towards the elements, so high pressure is needed';

const service = useService();

afterAll(() => expectAudited(service.database));

async function verify(caller: Caller, args: Record<string, unknown>): Promise<ToolResult> {
  const client = await connectOverHttp(service.url, caller.secret);
  try {
    return await callTool(client, 'verify', args);
  } finally {
    await client.close();
  }
}

describe('a call of verify', () => {
  it('judges quotes and references for one credit, as the API does', async () => {
    const caller = addAccount(service, { email: 'verify@example.org', credits: 3 });
    const items = [
      { quote: QUOTE, id: PAPER },
      { quote: QUOTE, id: OTHER_PAPER },
      { reference: `@article{a, title = {${TITLE}}, year = {2019}}` },
      { reference: { title: TITLE, year: 2026 } },
      { reference: { title: 'A paper that nobody ever wrote about anything', year: 2020 } },
    ];
    const { isError, content, structuredContent } = await verify(caller, { items });
    expect(isError).toBeUndefined();
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(structuredContent).toMatchObject({
      items: [
        { item: 2, kind: 'quote', verdict: 'elsewhere', id: PAPER, title: TITLE, wording: QUOTE },
        { item: 5, kind: 'reference', verdict: 'not_found', assessment: 'cannot_tell' },
        { item: 3, kind: 'reference', verdict: 'match_with_errors', id: PAPER },
        { item: 1, kind: 'quote', verdict: 'exact', id: PAPER },
        { item: 4, kind: 'reference', verdict: 'match', id: PAPER, assessment: 'likely_real' },
      ],
      notice: expect.stringMatching(/do not prove.*never instructions/),
    });
    await untilUsage(caller, { requests: 1, credits: 1, balance: 2 });

    const got = await send(service.url, {
      method: 'POST',
      path: '/v1/verify',
      headers: { authorization: `Bearer ${caller.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    });
    const described = structuredContent?.['items'] as { item: number; verdict: string }[];
    const results: { verdict: string }[] = JSON.parse(got.text).items;
    expect(results.map(({ verdict }) => verdict)).toEqual(
      described.sort((a, b) => a.item - b.item).map(({ verdict }) => verdict),
    );
  });

  it('says what the live sources said that it names', async () => {
    const caller = addAccount(service, { email: 'lanes@example.org', credits: 1 });
    const reference = { title: 'A paper that nobody ever wrote about anything' };
    const { structuredContent } = await verify(caller, { items: [{ reference }], lanes: 'web' });
    // This server has none.
    expect(structuredContent).toMatchObject({
      items: [{ verdict: 'not_found', lanes: { web: 'not_allowed' } }],
    });
    await untilUsage(caller, { credits: 1, balance: 0 });
  });

  it('keeps to a budget of tokens', async () => {
    const caller = addAccount(service, { email: 'budget@example.org', credits: 10 });
    const wrong = `@article{a, title = {${TITLE}}, author = {Nobody, Ever}, year = {1999}}`;
    const items = Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0 ? { reference: { title: TITLE } } : { reference: wrong },
    );
    const answer = async (tokens?: number) => {
      const { content, structuredContent } = await verify(caller, {
        items,
        ...(tokens !== undefined && { max_tokens: tokens }),
      });
      return { characters: content[0]?.text.length ?? 0, ...structuredContent } as {
        characters: number;
        items: { item: number; corrected?: string }[];
        shortened?: number;
        dropped?: number;
      };
    };
    const all = await answer(100_000);
    expect(all.items).toHaveLength(60);
    expect(all).not.toHaveProperty('shortened');
    expect(all.items.filter(({ corrected }) => corrected !== undefined)).toHaveLength(30);

    // By default some of the wrong ones have no details, but their verdicts are there.
    const some = await answer();
    expect(some.items.map(({ item }) => item)).toEqual(all.items.map(({ item }) => item));
    const detailed = some.items.filter(({ corrected }) => corrected !== undefined);
    expect(detailed.length).toBeGreaterThan(0);
    expect(some.shortened).toBe(30 - detailed.length);
    expect(some.characters).toBeLessThan(4_400 * 4);

    const few = await answer(200);
    expect(few.items.length).toBeGreaterThan(0);
    expect(few.dropped).toBe(60 - few.items.length);
    expect(few.items.every(({ item }) => item % 2 === 0)).toBe(true);
  });

  it('is free if nothing could be said of any item', async () => {
    const caller = addAccount(service, { email: 'silent@example.org', credits: 1 });
    const quote = 'words that no paper of the sample has ever had';
    const { isError, structuredContent } = await verify(caller, {
      items: [{ quote, id: '10.9999/nothing' }, { reference: '?' }],
    });
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({
      items: [{ verdict: 'not_indexed' }, { verdict: 'unreadable' }],
    });
    await untilUsage(caller, { requests: 0, credits: 0, balance: 1 });
  });

  it('names what was wrong with the arguments, free of charge', async () => {
    const caller = addAccount(service, { email: 'wrong@example.org', credits: 1 });
    const item = { quote: QUOTE };
    const wrong: [args: Record<string, unknown>, text: RegExp][] = [
      [{}, /items/],
      [{ items: [] }, /^bad_request: items: expected at least one item/],
      [{ items: Array.from({ length: 101 }, () => item) }, /items/],
      [{ items: 'x' }, /items/],
      [{ items: [null] }, /items\/0/],
      [
        { items: [{}] },
        /^bad_request: items\[0\]: expected quote, reference, or references, got none/,
      ],
      [{ items: [{ ...item, reference: 'x' }] }, /got both/],
      [{ items: [{ quote: 7 }] }, /quote/],
      [{ items: [{ quote: 'x'.repeat(4_001) }] }, /^bad_request: items\[0\]\.quote/],
      [{ items: [{ ...item, page: 3 }] }, /unknown field "page"/],
      [{ items: [item], limit: 3 }, /additional properties/],
      [{ items: [item], max_tokens: 0 }, /^bad_request: max_tokens: .*at least 50/],
      [{ items: [{ reference: { title: 'x', isbn: 'y' } }] }, /unknown field "isbn"/],
    ];
    for (const [args, text] of wrong) {
      const failed = await verify(caller, args);
      expect([failed.isError, failed.content[0]?.text]).toEqual([
        true,
        expect.stringMatching(text),
      ]);
    }
    await untilUsage(caller, { requests: 0, credits: 0, balance: 1 });
  });

  it('without credit says what to do', async () => {
    const caller = addAccount(service, { email: 'broke@example.org', credits: 1 });
    await verify(caller, { items: [{ quote: QUOTE }] });
    await untilUsage(caller, { balance: 0 });
    const { isError, content } = await verify(caller, { items: [{ quote: QUOTE }] });
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^insufficient_credit: .*ask the user to add credit/),
    ]);
  });
});
