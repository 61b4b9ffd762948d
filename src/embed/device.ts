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

/** The lists of providers to try, in this order: the last one's failure is the device's. */
export function providersOf(device: Device, isCudaThere: () => boolean = hasCuda): Providers[] {
  if (device === 'cuda') return [['cuda', 'cpu']];
  return device === 'auto' && isCudaThere() ? [['cuda', 'cpu'], ['cpu']] : [['cpu']];
}

/**
 * Whether the library of the provider lies beside the runtime's own. Trying without it would print
 * the runtime's complaint.
 */
function hasCuda(): boolean {
  const { resolve } = createRequire(import.meta.url);
  const top = dirname(resolve('onnxruntime-node/package.json'));
  const { platform, arch } = process;
  const library = join('bin/napi-v6', platform, arch, 'libonnxruntime_providers_cuda.so');
  return existsSync(join(top, library));
}
