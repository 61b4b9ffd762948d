/**
 * Chooses where the model runs: on the CPU, or on an NVIDIA GPU by ONNX Runtime's CUDA provider.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { VerbatimError } from '../../errors.ts';

/** `auto` is the GPU if it is usable, otherwise the CPU. */
export type Device = 'auto' | 'cpu' | 'cuda';

/** Names of execution providers. Operators that the first does not support run on the next. */
export type Providers = readonly ('cuda' | 'cpu')[];

const devices: readonly string[] = ['auto', 'cpu', 'cuda'];

/** Throws `usage` for an unknown name. */
export function deviceNamed(name: string): Device {
  if (devices.includes(name)) return name as Device;
  throw new VerbatimError(
    'usage',
    `VERBATIM_EMBED_DEVICE must be ${devices.join(', ')}, not "${name}"`,
  );
}

/**
 * Returns the lists of providers to try in order. The failure of the last one is the device's.
 * Throws `model_unusable` if the setting demands the GPU and a library is missing.
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

/** Returns the CUDA provider's libraries that are missing beside the runtime's own. */
function missingCudaLibraries(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const top = dirname(resolve('onnxruntime-node/package.json'));
  const { platform, arch } = process;
  return ['cuda', 'shared']
    .map((name) => join(top, 'bin/napi-v6', platform, arch, `libonnxruntime_providers_${name}.so`))
    .filter((library) => !existsSync(library));
}
