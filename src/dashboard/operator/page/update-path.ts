/** The files of an update: only what is in the folder that a setting allows. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { VerbatimError } from '../../../errors.ts';

const CONTROL_CHARACTER = /\p{Cc}/u;
const PATH_CHARACTERS_MAX = 1_000;

/**
 * Returns the real path of what is named within the folder. Throws `invalid_field` for anything else,
 * also for a link that leads out.
 */
export async function resolveUpdatePath(folder: string, path: string): Promise<string> {
  if (path.length > PATH_CHARACTERS_MAX || CONTROL_CHARACTER.test(path)) {
    throw errors('enter the name of a file or a folder');
  }
  if (isAbsolute(path)) throw errors('enter a path within the folder, without a slash before it');
  if (path.split('/').includes('..')) throw errors('the path must not contain ..');
  const top = await realpath(folder).catch(() => {
    throw errors(`the folder ${folder} cannot be read`);
  });
  const found = await realpath(join(top, path)).catch(() => {
    throw errors(`there is no ${path} in the folder`);
  });
  const way = relative(top, found);
  if (way === '..' || way.startsWith('../') || isAbsolute(way)) {
    throw errors(`${path} leads out of the folder`);
  }
  return found;
}

function errors(message: string): VerbatimError {
  return new VerbatimError('invalid_field', message);
}
