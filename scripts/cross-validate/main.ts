/**
 * Cross-validates the weights of the ranking by halves of the queries: each alone, or all together. For
 * each weight it prints nDCG@10 with each value, and the held-out means, which are what the choice of a
 * value is expected to give on other queries.
 */
import { VerbatimError } from '../../src/errors.ts';
import { type RankWeights, weights } from '../../src/search/rank.ts';
import { flag, positionals, several } from '../measure/options.ts';
import { defineMeasurement } from '../measure/run.ts';
import { meanOf } from '../measure/statistics.ts';
import { validateByHalves } from './held-out.ts';
import { type CollectionFiles, scoreVariants } from './score-variants.ts';

const DIGITS = 4;

interface Variant {
  name: string;
  /** The weights that it changes. */
  own: Partial<RankWeights>;
}

export const measurement = defineMeasurement({
  options: {
    collections: positionals(
      'an index that `verbatim eval --db` kept, and its files',
      'INDEX,QUERIES,QRELS…',
    ),
    weight: several('a weight and its values, such as title=0.1,0.2', 'name=v1,v2'),
    grid: flag('each value of one weight with each of another'),
  },
  notes: `Weights: ${Object.keys(weights).join(', ')}. VERBATIM_MODEL names the model of the indexes.`,
  async run(values) {
    const tried = values.weight.map(parseWeight);
    const collections = values.collections.map(parseCollection);
    if (tried.length === 0 || collections.length === 0) {
      throw new VerbatimError('usage', 'name a weight and a collection; see --help');
    }
    const groups = values.grid ? [tried.reduce(combine)] : tried;
    const all = groups.flat();
    const variants = [weights, ...all.map(({ own }) => ({ ...weights, ...own }))];
    const scores: number[][][] = [];
    for (const files of collections) scores.push(await scoreVariants(files, variants));
    const meansOf = (variant: number) => scores.map((of) => meanOf(of[variant] ?? []));
    const rows = [rowOf('default', meansOf(0))];
    for (const group of groups) {
      const first = 1 + all.indexOf(group[0] as Variant);
      for (const [at, { name }] of group.entries()) rows.push(rowOf(name, meansOf(first + at)));
      const own = scores.map((of) => of.slice(first, first + group.length));
      const { chosen, means } = validateByHalves(own);
      const names = chosen.map((at) => group[at]?.name.replaceAll(/\w+=/g, ''));
      rows.push(rowOf(`held out (${names.join(', ')})`, means));
    }
    const names = collections.map(({ index }) => index.replace(/^.*\//, ''));
    const head = ['weight', ...names, 'mean'];
    return { report: { head, rows }, shown: [{ head, rows }] };
  },
});

function rowOf(name: string, means: readonly number[]): string[] {
  return [name, ...[...means, meanOf(means)].map((mean) => mean.toFixed(DIGITS))];
}

/** Each variant of one weight with each of another. */
function combine(some: readonly Variant[], others: readonly Variant[]): Variant[] {
  return some.flatMap((one) =>
    others.map((other) => ({
      name: `${one.name} ${other.name}`,
      own: { ...one.own, ...other.own },
    })),
  );
}

function parseWeight(text: string): Variant[] {
  const [name = '', list = ''] = text.split('=');
  const numbers = list.split(',').map(Number);
  if (!(name in weights) || list === '' || !numbers.every((value) => value >= 0)) {
    throw new VerbatimError('usage', `--weight: "${text}" does not fit; see --help`);
  }
  return numbers.map((value) => ({ name: `${name}=${value}`, own: { [name]: value } }));
}

function parseCollection(text: string): CollectionFiles {
  const [index = '', queries = '', qrels = '', ...others] = text.split(',');
  if (qrels !== '' && others.length === 0) return { index, queries, qrels };
  throw new VerbatimError('usage', `"${text}" is not INDEX,QUERIES,QRELS`);
}
