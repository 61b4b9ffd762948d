/** Queries of a test collection: JSON Lines with _id and text (BEIR's form). */
import { readJsonRecords } from './json-records.ts';

export interface EvalQuery {
  id: string;
  text: string;
}

export async function readQueries(path: string): Promise<EvalQuery[]> {
  const records = await readJsonRecords<{ _id: string | number; text: string }>(path);
  return records.map(({ _id, text }) => ({ id: String(_id), text }));
}
