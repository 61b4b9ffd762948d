/**
 * The functions of an index on several servers of PostgreSQL. Each server has the rows of some documents,
 * in the tables of any index. The front has the facts and the document frequencies of the whole index, and
 * no documents. It calls the servers with PL/Proxy, which asks all of them at once and returns what any of
 * them finds.
 */

import { type AddressParts, partsOfAddress } from '../../src/database/postgres/address-parts.ts';
import { VerbatimError } from '../../src/errors.ts';

/**
 * Runs a statement over the documents of a server. `$1[n]` in it is the parameter n. It fails unless the
 * server has the state that the search has begun with, before and after: each call is a transaction of its
 * own.
 */
export const RUN_HERE = `
CREATE OR REPLACE FUNCTION assert_state(wanted text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF wanted IS DISTINCT FROM (SELECT id || '-' || revision FROM index_facts) THEN
    RAISE EXCEPTION 'the servers of the index have different states' USING
      ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'While the index is loaded, this ends by itself. Otherwise, load it again.';
  END IF;
END $$;
CREATE OR REPLACE FUNCTION run_here(state text, opening text, statement text, parameters text[])
RETURNS SETOF json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_state(state);
  EXECUTE opening;
  RETURN QUERY EXECUTE 'SELECT to_json(found) FROM (' || statement || ') AS found' USING parameters;
  PERFORM assert_state(state);
END $$`;

/**
 * Runs a statement on each server. `servers` are their addresses, `postgres://…`, with one login for all.
 * Throws `usage` if there are several logins.
 */
export function runOnServers(servers: readonly string[]): string {
  const options = servers.map((server, at) => `p${at} ${literal(connectionOf(server))}`);
  const { user, password } = loginOf(servers);
  const login = [`user ${literal(user)}`].concat(password ? [`password ${literal(password)}`] : []);
  return `
CREATE EXTENSION IF NOT EXISTS plproxy;
DROP SERVER IF EXISTS index_servers CASCADE;
CREATE SERVER index_servers FOREIGN DATA WRAPPER plproxy OPTIONS (${options.join(', ')});
CREATE USER MAPPING FOR CURRENT_USER SERVER index_servers OPTIONS (${login.join(', ')});
CREATE OR REPLACE FUNCTION run_on_servers(state text, opening text, statement text, parameters text[])
RETURNS SETOF json LANGUAGE plproxy AS $$
  CLUSTER 'index_servers';
  RUN ON ALL;
  TARGET run_here;
$$`;
}

/** PL/Proxy has one login for all servers. */
function loginOf(servers: readonly string[]): Pick<AddressParts, 'user' | 'password'> {
  const [first = partsOfAddress(''), ...others] = servers.map(partsOfAddress);
  const { user, password } = first;
  if (others.every((other) => other.user === user && other.password === password)) return first;
  throw new VerbatimError(
    'usage',
    'the servers of an index need one login: give all of their addresses the same user and password',
  );
}

/** The address as libpq reads it, with parameters such as `sslmode`, without the login. */
function connectionOf(address: string): string {
  const { host, port, database, parameters } = partsOfAddress(address);
  const all = new Map(parameters).set('host', host).set('port', `${port}`).set('dbname', database);
  return [...all]
    .map(([name, value]) => `${name}='${value.replaceAll(/['\\]/g, '\\$&')}'`)
    .join(' ');
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
