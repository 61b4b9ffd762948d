/** Where the model's graph runs: the processor, or an NVIDIA GPU by ONNX Runtime's CUDA provider. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { VerbatimError } from '../errors.ts';

/** `auto`: the GPU where it can be used, else the processor. */
export type Device = 'auto' | 'cpu' | 'cuda';

/** Names of execution providers; operators that the first one does not have go to the next. */
export type Providers = readonly ('cuda' | 'cpu')[];

const devices: readonly string[] = ['auto', 'cpu', 'cuda'];

/** Throws `usage` for a name that is none. */
export function deviceNamed(name: string): Device {
  if (devices.includes(name)) return name as Device;
  throw new VerbatimError(
    'usage',
    `VERBATIM_EMBED_DEVICE must be ${devices.join(', ')}, not "${name}"`,
  );
}

/**
 * The lists of providers to try, in this order: the last one's failure is the device's. Throws
 * `model_unusable` where the GPU is asked for and a library is missing.
 */
export function providersOf(
  device: Device,
  missing: () => readonly string[] = missingCudaLibraries,
): Providers[] {
  if (device === 'cpu') return [['cpu']];
  const [library] = missing();
  if (device === 'auto') return library === undefined ? [['cuda', 'cpu'], ['cpu']] : [['cpu']];
  if (library === undefined) return [['cuda', 'cpu']];
  throw new VerbatimError('model_unusable', `VERBATIM_EMBED_DEVICE=cuda needs ${library}`);
}

/** The provider's libraries that do not lie beside the runtime's own. */
function missingCudaLibraries(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const top = dirname(resolve('onnxruntime-node/package.json'));
  const { platform, arch } = process;
  return ['cuda', 'shared']
    .map((name) => join(top, 'bin/napi-v6', platform, arch, `libonnxruntime_providers_${name}.so`))
    .filter((library) => !existsSync(library));
}
