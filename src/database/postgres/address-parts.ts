/** The parts of an address of PostgreSQL. A URL cannot have the folder of a socket as its host. */
import pg from 'pg';

export interface AddressParts {
  host: string;
  port: number;
  user: string;
  password: string | undefined;
  database: string;
  /** What follows the question mark, such as `sslmode`. */
  parameters: ReadonlyMap<string, string>;
}

export function partsOfAddress(address: string): AddressParts {
  const {
    host,
    port,
    user = '',
    password,
    database = '',
  } = new pg.Client({
    connectionString: address,
  });
  const parameters = new Map(new URLSearchParams(address.split('?')[1] ?? ''));
  return { host, port, user, password, database, parameters };
}
