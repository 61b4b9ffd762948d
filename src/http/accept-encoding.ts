/** Chooses the encoding of a response from `Accept-Encoding` (RFC 9110, section 12.5.3). Pure. */

export type Encoding = 'br' | 'gzip' | 'identity';

/** The encodings we offer, best first. Order breaks ties between equal weights. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];
/** Matches `name` or `name;q=weight`, where the weight is 0 to 1 with at most three decimals. */
const PREFERENCE = /^([^\s;]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;
/**
 * Lower than any weight a client can send: `identity` is the default only if nothing else is
 * accepted.
 */
const DEFAULT_IDENTITY_WEIGHT = 0.0005;

/**
 * Returns the encoding with the highest weight in an `Accept-Encoding` header. Returns `identity`
 * if the header is absent or accepts none of ours. Ignores items that do not match the grammar.
 */
export function chooseEncoding(acceptEncoding: string): Encoding {
  if (acceptEncoding === '') return 'identity';
  const weights = readWeights(acceptEncoding);
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const encoding of ENCODINGS) {
    const unnamed = encoding === 'identity' ? DEFAULT_IDENTITY_WEIGHT : 0;
    const weight = weights.get(encoding) ?? weights.get('*') ?? unnamed;
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

function readWeights(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [, name = '', weight = '1'] = PREFERENCE.exec(part.trim()) ?? [];
    // RFC 9110 makes `x-gzip` an alias of `gzip`.
    const known = name.toLowerCase().replace(/^x-gzip$/, 'gzip');
    if (known !== '') weights.set(known, Number(weight));
  }
  return weights;
}
