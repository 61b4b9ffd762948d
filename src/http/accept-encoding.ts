/** Which encoding a client wants an answer in: RFC 9110, section 12.5.3. Pure. */

export type Encoding = 'br' | 'gzip' | 'identity';

/** Ours, best first: what is sent where the client likes several alike. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];
/** `name` or `name;q=weight`, a weight from 0 to 1 with at most three decimals. */
const PREFERENCE = /^([^\s;]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;
/** Below every weight that can be sent: unasked, an answer is as it is only for want of better. */
const UNASKED_IDENTITY = 0.0005;

/**
 * The encoding of ours that an `Accept-Encoding` header gives the highest weight; `identity` where
 * it accepts none, or is absent. What does not follow the grammar counts as not sent.
 */
export function chooseEncoding(acceptEncoding: string): Encoding {
  if (acceptEncoding === '') return 'identity';
  const weights = readWeights(acceptEncoding);
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const encoding of ENCODINGS) {
    const unnamed = encoding === 'identity' ? UNASKED_IDENTITY : 0;
    const weight = weights.get(encoding) ?? weights.get('*') ?? unnamed;
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

function readWeights(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [, name = '', weight = '1'] = PREFERENCE.exec(part.trim()) ?? [];
    // The older name of the same encoding, which RFC 9110 has recipients treat alike.
    const known = name.toLowerCase().replace(/^x-gzip$/, 'gzip');
    if (known !== '') weights.set(known, Number(weight));
  }
  return weights;
}
