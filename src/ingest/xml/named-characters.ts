/**
 * The named characters of document types, such as `&uuml;` and `&alpha;`: those of HTML, which
 * include the ISO and MathML sets of JATS and DBLP, and a few that journals add. Each is one or two
 * characters long, so nothing can grow. No document type is fetched. Pure.
 */
import { decodeHTMLStrict } from 'entities';

/** Characters by name; undefined for unknown names. */
export const namedCharacters: Readonly<Record<string, string>> = new Proxy(Object.create(null), {
  get: (_target, name) => (typeof name === 'string' ? characterNamed(name) : undefined),
});

/** Names from astronomy journals: decimal degrees, minutes, and seconds, as in "16°.5". */
const OF_ASTRONOMY = new Map([
  ['fdg', '°.'],
  ['farcm', '′.'],
  ['farcs', '″.'],
]);

/** Greek letters under their ISO 8879 names, which HTML lacks: "&rgr;", and "&Rgr;" the capital. */
const GREEK = new Map(
  `α a, β b, γ g, δ d, ε e, ζ z, η ee, θ th, ι i, κ k, λ l, μ m, ν n, ξ x, ο o, π p, ρ r, σ s, ς sf,
  τ t, υ u, φ ph, χ kh, ψ ps, ω oh`
    .split(/,\s+/)
    .flatMap((entry): [string, string][] => {
      const [letter = '', name = ''] = entry.split(' ');
      const capital: [string, string] = [`${name.toUpperCase()}gr`, letter.toUpperCase()];
      return name === 'sf' ? [['sfgr', letter]] : [[`${name}gr`, letter], capital];
    }),
);

function characterNamed(name: string): string | undefined {
  const own = OF_ASTRONOMY.get(name) ?? GREEK.get(name);
  if (own !== undefined) return own;
  const reference = `&${name};`;
  const character = decodeHTMLStrict(reference);
  return character === reference ? undefined : character;
}
