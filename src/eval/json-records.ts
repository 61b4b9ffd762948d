/** Reads a small file of JSON Lines whole; test collections fit into memory. */
import { VerbatimError } from '../errors.ts';
import { readText } from './read-text.ts';

/** Throws `unreadable_input` naming the line that is no JSON. */
export async function readJsonRecords<Record>(path: string): Promise<Record[]> {
  const lines = (await readText(path)).split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Record];
    } catch {
      throw new VerbatimError('unreadable_input', `${path}:${index + 1}: not JSON`);
    }
  });
}
