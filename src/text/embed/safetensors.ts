/**
 * Reads tensors of a safetensors file (github.com/huggingface/safetensors): 8 bytes with the length of
 * the header, a header in JSON with type, shape, and place of each tensor, and the numbers. Unlike a
 * pickle, it holds nothing that runs.
 */
import { readFileSync } from 'node:fs';
import { fromBfloat16, fromFloat16 } from './float16.ts';

export interface StoredTensor {
  shape: number[];
  data: Float32Array;
}

interface Header {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const LENGTH_BYTES = 8;

const readers: Readonly<Record<string, { bytes: number; read(data: ArrayBuffer): Float32Array }>> =
  {
    F32: { bytes: 4, read: (data) => new Float32Array(data) },
    F16: { bytes: 2, read: (data) => fromFloat16(new Uint16Array(data)) },
    BF16: { bytes: 2, read: (data) => fromBfloat16(new Uint16Array(data)) },
  };

/** Returns the tensors by name. Throws an error that says what is wrong with the file. */
export function readSafetensors(path: string): Map<string, StoredTensor> {
  const file = readFileSync(path);
  const length = file.length < LENGTH_BYTES ? 0n : file.readBigUInt64LE(0);
  const start = LENGTH_BYTES + Number(length);
  if (length === 0n || start > file.length) throw new Error('it is not a safetensors file');
  const header = JSON.parse(file.subarray(LENGTH_BYTES, start).toString('utf8'));
  const tensors = new Map<string, StoredTensor>();
  for (const [name, described] of Object.entries<Header>(header)) {
    if (name !== '__metadata__') tensors.set(name, readTensor(file.subarray(start), described));
  }
  return tensors;
}

function readTensor(
  body: Buffer,
  { dtype, shape, data_offsets: [from, to] }: Header,
): StoredTensor {
  const reader = readers[dtype];
  if (reader === undefined) throw new Error(`numbers of the type ${dtype} are not supported`);
  const size = shape.reduce((product, side) => product * side, 1);
  if (to - from !== size * reader.bytes || to > body.length) {
    throw new Error('a tensor has other bytes than its shape needs');
  }
  // A copy: numbers must lie at a multiple of their size.
  return { shape, data: reader.read(new Uint8Array(body.subarray(from, to)).buffer) };
}
