/** Fields of study from arXiv's categories (arxiv.org/category_taxonomy). Pure. */
import type { FieldOfStudy } from '../../types.ts';

/** The archives of each group of arXiv, with those that were closed. */
const archivesOf: Partial<Record<FieldOfStudy, string>> = {
  'Computer science': 'cs cmp-lg',
  Economics: 'econ',
  'Electrical engineering': 'eess',
  Mathematics: 'math alg-geom dg-ga funct-an q-alg',
  Physics: `astro-ph cond-mat gr-qc hep-ex hep-lat hep-ph hep-th math-ph nlin nucl-ex nucl-th physics
    quant-ph acc-phys adap-org ao-sci atom-ph bayes-an chao-dyn chem-ph comp-gas mtrl-th patt-sol
    plasm-ph solv-int supr-con`,
  'Quantitative biology': 'q-bio',
  'Quantitative finance': 'q-fin',
  Statistics: 'stat',
};

const fieldOfArchive = new Map(
  Object.entries(archivesOf).flatMap(([field, archives]) =>
    archives.split(/\s+/).map((archive) => [archive, field] as const),
  ),
);

/** The field of the first of some categories, which is the primary one: `cs.CL math.ST`. */
export function arxivField(categories: string): string | undefined {
  const [primary = ''] = categories.trim().split(/[\s,]+/);
  return fieldOfArchive.get(primary.replace(/\..*$/, '').toLowerCase());
}
