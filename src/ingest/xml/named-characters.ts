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

function characterNamed(name: string): string | undefined {
  const ofAstronomy = OF_ASTRONOMY.get(name);
  if (ofAstronomy !== undefined) return ofAstronomy;
  const reference = `&${name};`;
  const character = decodeHTMLStrict(reference);
  return character === reference ? undefined : character;
}
