/** The files of a folder as model hubs lay it out. Reads JSON alone: a folder never runs code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../errors.ts';
import { unusable } from '../manifest.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Reads a file of the folder; undefined if it is not there. Throws `model_unusable` for invalid JSON. */
export function readJson<Read = Json>(folder: string, file: string): Read | undefined {
  const path = join(folder, file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unusable(folder, `${file}: ${messageOf(error)}`);
  }
}

/** Files in which PyTorch keeps weights as pickles, which can run code when they are read. */
const PICKLE = /\.(bin|pt|pth|ckpt|pkl)$/;

/** Returns the pickle of a folder, if it has one. */
export function findPickle(folder: string): string | undefined {
  return namesIn(folder).find((name) => PICKLE.test(name));
}

/**
 * Finds the graph: the one that was asked for, else `onnx/model.onnx` or `model.onnx`, else the only one.
 * Throws `model_unusable` if there is none, or if one must be chosen.
 */
export function findGraph(folder: string, asked: string | undefined): string {
  const graphs = ['onnx', ''].flatMap((place) =>
    namesIn(join(folder, place))
      .filter((name) => name.endsWith('.onnx'))
      .map((name) => (place === '' ? name : `${place}/${name}`)),
  );
  if (asked !== undefined) {
    if (graphs.includes(asked)) return asked;
    throw unusable(folder, `there is no graph ${asked}; there are: ${graphs.join(', ') || 'none'}`);
  }
  const usual = ['onnx/model.onnx', 'model.onnx'].find((name) => graphs.includes(name));
  const [only, ...others] = graphs;
  if (usual !== undefined) return usual;
  if (only === undefined) {
    const pickle = findPickle(folder);
    const found = pickle === undefined ? '' : `; ${pickle} is a pickle, which is never read`;
    throw unusable(folder, `there is no graph onnx/model.onnx${found}`);
  }
  if (others.length === 0) return only;
  throw unusable(folder, `choose one of the graphs with --weights: ${graphs.join(', ')}`);
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
