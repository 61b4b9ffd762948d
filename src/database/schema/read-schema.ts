/** The files beside this one, each of which makes the tables of one subject in an empty database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaPath } from '../../settings/bundle.ts';

/** Returns the SQL of the files, in their order. */
export function readSchema(database: 'sqlite' | 'postgres', subjects: readonly string[]): string {
  return subjects
    .map((subject) => readFileSync(join(schemaPath(database), `${subject}.sql`), 'utf8'))
    .join('\n');
}
