import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount } from '../http/contract.ts';
import { connectOverHttp } from '../support/mcp.ts';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';

/** Agents read this before they start. The median of the servers that were measured is 2,636. */
const TOKENS_MAX = 860;

let service: Service;

beforeAll(async () => {
  service = await startService(await copySampleIndex());
});

afterAll(async () => {
  await service.end();
  await removeDatabase(service.database);
});

describe('what an agent must read before it can call', () => {
  it('is short: names, descriptions, and input schemas', async () => {
    const { secret } = addAccount(service, { credits: 1 });
    const client = await connectOverHttp(service.url, secret);
    const { tools } = await client.listTools();
    const read = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const tokens = encode(JSON.stringify(read)).length;
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThan(TOKENS_MAX);
    await client.close();
  });
});
