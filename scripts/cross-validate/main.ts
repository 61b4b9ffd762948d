/**
 * Cross-validates the weights of the ranking by halves of the queries: each alone, or all together.
 *
 *   npm run cross-validate -- --weight NAME=V1,V2,... [--weight ...] [--grid] INDEX,QUERIES,QRELS...
 *
 * INDEX is one that `verbatim eval --db` kept, QUERIES and QRELS are the files of its collection.
 * VERBATIM_MODEL names the model of the indexes. For each weight it prints nDCG@10 with each value, and
 * the held-out means, which are what the choice of a value is expected to give on other queries.
 */
import { parseArgs } from 'node:util';
import { type RankWeights, weights } from '../../src/search/rank.ts';
import { printTable } from '../evaluate-references/print-table.ts';
import { meanOf, validateByHalves } from './held-out.ts';
import { type CollectionFiles, scoreVariants } from './score-variants.ts';

const USAGE =
  'usage: npm run cross-validate -- --weight NAME=V1,V2,... [--weight ...] [--grid] INDEX,QUERIES,QRELS...\n' +
  `weights: ${Object.keys(weights).join(', ')}`;
const DIGITS = 4;

interface Variant {
  name: string;
  changed: RankWeights;
  /** The weights that it changes. */
  own: Partial<RankWeights>;
}

const { values, positionals } = parseArgs({
  options: {
    weight: { type: 'string', multiple: true },
    grid: { type: 'boolean' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
if (values.help === true) {
  console.log(USAGE);
} else {
  const tried = (values.weight ?? []).map(parseWeight);
  const collections = positionals.map(parseCollection);
  await crossValidate(values.grid === true ? [tried.reduce(combine)] : tried, collections);
}

async function crossValidate(
  tried: readonly Variant[][],
  collections: readonly CollectionFiles[],
): Promise<void> {
  if (tried.length === 0 || collections.length === 0) fail();
  const all = tried.flat();
  const variants = [weights, ...all.map(({ changed }) => changed)];
  const scores: number[][][] = [];
  for (const files of collections) scores.push(await scoreVariants(files, variants));
  const head = ['weight', ...collections.map(({ index }) => index.replace(/^.*\//, '')), 'mean'];
  const rows = [
    rowOf(
      'default',
      scores.map((of) => meanOf(of[0] ?? [])),
    ),
  ];
  for (const group of tried) {
    const first = 1 + all.indexOf(group[0] as Variant);
    const own = scores.map((of) => of.slice(first, first + group.length));
    for (const [at, { name }] of group.entries()) {
      rows.push(
        rowOf(
          name,
          own.map((of) => meanOf(of[at] ?? [])),
        ),
      );
    }
    const { chosen, means } = validateByHalves(own);
    const names = chosen.map((at) => group[at]?.name.replaceAll(/\w+=/g, ''));
    rows.push(rowOf(`held out (${names.join(', ')})`, means));
  }
  printTable(head, rows);
}

function rowOf(name: string, means: readonly number[]): string[] {
  return [name, ...[...means, meanOf(means)].map((mean) => mean.toFixed(DIGITS))];
}

/** Each variant of one weight with each of another. */
function combine(some: readonly Variant[], others: readonly Variant[]): Variant[] {
  return some.flatMap((one) =>
    others.map((other) => ({
      name: `${one.name} ${other.name}`,
      changed: { ...one.changed, ...other.own },
      own: { ...one.own, ...other.own },
    })),
  );
}

function parseWeight(text: string): Variant[] {
  const [name = '', list = ''] = text.split('=');
  const numbers = list.split(',').map(Number);
  if (!(name in weights) || list === '' || !numbers.every((value) => value >= 0)) fail();
  return numbers.map((value) => ({
    name: `${name}=${value}`,
    changed: { ...weights, [name]: value },
    own: { [name]: value },
  }));
}

function parseCollection(text: string): CollectionFiles {
  const [index = '', queries = '', qrels = '', ...others] = text.split(',');
  if (qrels === '' || others.length > 0) fail();
  return { index, queries, qrels };
}

function fail(): never {
  console.error(USAGE);
  process.exit(2);
}
