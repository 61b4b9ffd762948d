/** The id of a record that has none which is known elsewhere. Pure. */
import { createHash } from 'node:crypto';

/**
 * The name that a record has in its file, such as a citation key, and eight digits of a hash of
 * its title: the same name in another file, or given twice, may be that of another paper. The same
 * record always gets the same id. '' where there is no title, for then there is no telling.
 */
export function localId(name: string, title: string): string {
  const letters = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (letters === '') return '';
  const hash = createHash('sha256').update(letters).digest('hex').slice(0, 8);
  return `${name.trim().replace(/\s+/g, '-').slice(0, 200)}-${hash}`;
}
