/** Reads a small file of JSON Lines whole; test collections fit into memory. */
import { readFile } from 'node:fs/promises';
import { VerbatimError } from '../errors.ts';

/** Throws `unreadable_input` naming the line that is no JSON. */
export async function readJsonRecords<Record>(path: string): Promise<Record[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Record];
    } catch {
      throw new VerbatimError('unreadable_input', `${path}:${index + 1}: not JSON`);
    }
  });
}
