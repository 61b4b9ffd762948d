/**
 * The configuration of HAProxy: searches go to nodes that are ready, and accounts to the server of
 * PostgreSQL that is the primary. Pure.
 */

interface Address {
  name: string;
  host: string;
  port: number;
}

export interface Routes {
  /** Where clients send searches. */
  searches: Omit<Address, 'name'>;
  nodes: readonly Address[];
  /** Where nodes find the primary. */
  accounts: Omit<Address, 'name'>;
  databases: readonly Address[];
}

/** A user of the database who needs no password from the address of HAProxy. */
const CHECK_USER = 'verbatim';

export function haproxyConfig({ searches, nodes, accounts, databases }: Routes): string {
  return `
defaults
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  # Without it a check takes as long as the interval at most, which is too short for a busy machine.
  timeout check 2s

listen searches
  mode http
  bind ${searches.host}:${searches.port}
  balance roundrobin
  # Another node gets a request only if the first one accepted no connection, and so saw nothing of it.
  option redispatch
  retries 2
  option forwardfor
  # A browser stays on the node that has its forms and secrets in memory.
  cookie node insert indirect nocache httponly
  http-response set-header X-Node %s
  option httpchk
  http-check send meth GET uri /health ver HTTP/1.1 hdr Host verbatim
  default-server check inter 300ms fall 2 rise 1
${nodes.map((one) => `  server ${one.name} ${one.host}:${one.port} cookie ${one.name}`).join('\n')}

# The server that is not in recovery is the primary.
listen accounts
  mode tcp
  bind ${accounts.host}:${accounts.port}
  timeout client 1h
  timeout server 1h
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${startupMessage(CHECK_USER)}
  # ReadyForQuery
  tcp-check expect binary 5a0000000549
  tcp-check send-binary ${queryMessage('SELECT pg_is_in_recovery()')}
  # A row with one value, which is "f"
  tcp-check expect binary 440000000b00010000000166
  default-server check inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map(({ name, host, port }) => `  server ${name} ${host}:${port}`).join('\n')}
`.trimStart();
}

/** StartupMessage of PostgreSQL's protocol 3.0, in hexadecimal. */
export function startupMessage(user: string): string {
  const text = `user\0${user}\0database\0postgres\0\0`;
  return withLength(Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(text)])).toString('hex');
}

/** Query of PostgreSQL's protocol 3.0, in hexadecimal. */
export function queryMessage(sql: string): string {
  const message = withLength(Buffer.from(`${sql}\0`));
  return Buffer.concat([Buffer.from('Q'), message]).toString('hex');
}

/** The length, which counts itself, before the content. */
function withLength(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + length.length);
  return Buffer.concat([length, content]);
}
