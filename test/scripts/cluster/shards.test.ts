/** What the shards of a trial need. */
import { describe, expect, it } from 'vitest';
import { missingForShards } from '../../../scripts/cluster/shards.ts';
import type { Database } from '../../../src/database/postgres/postgres-database.ts';

/** A database of a server that has these extensions. */
function serverWith(...names: string[]): Database {
  return { query: async () => names.map((name) => ({ name })) } as unknown as Database;
}

describe('the shards', () => {
  it('name what is not installed', async () => {
    expect(await missingForShards(serverWith('plpgsql', 'plproxy'))).toBe('pgvector');
    expect(await missingForShards(serverWith('plpgsql', 'vector'))).toBe('PL/Proxy');
    expect(await missingForShards(serverWith('vector', 'plproxy'))).toBeUndefined();
  });
});
