/** A layer after pooling, as models of sentence-transformers have it: activation(weight · x + bias). */
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import type { Embedding } from '../../types.ts';
import { type DenseFile, unusable } from './manifest.ts';
import { readSafetensors } from './safetensors.ts';

export interface DenseLayer {
  inputs: number;
  outputs: number;
  apply(vector: Embedding): Embedding;
}

/** Reads a layer of a model folder. Throws `model_unusable`. */
export function readDenseLayer(folder: string, { file, activation }: DenseFile): DenseLayer {
  try {
    const tensors = readSafetensors(join(folder, file));
    const weight = tensors.get('linear.weight');
    const [outputs = 0, inputs = 0] = weight?.shape ?? [];
    if (weight === undefined || weight.shape.length !== 2) {
      throw new Error('it has no matrix linear.weight');
    }
    const bias = tensors.get('linear.bias')?.data ?? new Float32Array(outputs);
    if (bias.length !== outputs) throw new Error('linear.bias does not fit linear.weight');
    return { inputs, outputs, apply: (vector) => apply(vector, weight.data, bias, activation) };
  } catch (error) {
    throw unusable(folder, `${file}: ${messageOf(error)}`);
  }
}

function apply(
  vector: Embedding,
  weight: Float32Array,
  bias: Float32Array,
  activation: DenseFile['activation'],
): Embedding {
  return bias.map((offset, output) => {
    let sum = offset;
    const start = output * vector.length;
    for (let i = 0; i < vector.length; i++) {
      sum += (weight[start + i] as number) * (vector[i] as number);
    }
    return activation === 'tanh' ? Math.tanh(sum) : sum;
  });
}
