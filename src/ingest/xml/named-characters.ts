/**
 * The characters that document types name, as `&uuml;` and `&alpha;`: those of HTML, which hold the
 * ISO and MathML sets that JATS and DBLP refer to, and a few that journals add. Each is one or two characters, so that nothing
 * can grow; no document type is fetched or read for them. Pure.
 */
import { decodeHTMLStrict } from 'entities';

/** Looked up by name as in an object; undefined where there is no such character. */
export const namedCharacters: Readonly<Record<string, string>> = new Proxy(Object.create(null), {
  get: (_target, name) => (typeof name === 'string' ? characterNamed(name) : undefined),
});

/** Those of astronomers' journals: fractions of degrees, minutes and seconds, as "16°.5". */
const OF_ASTRONOMY = new Map([
  ['fdg', '°.'],
  ['farcm', '′.'],
  ['farcs', '″.'],
]);

/** Greek letters of ISO 8879, which HTML has under other names: "&rgr;", and "&Rgr;" the capital. */
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
