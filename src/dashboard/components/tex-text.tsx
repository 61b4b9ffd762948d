/** Text whose formulas in TeX are shown as MathML. What is copied of it is the text itself. */
import { Fragment } from 'preact';
import type temml from 'temml';

/** As pandoc reads them: “$5 and $10” has none. A longer formula stays as it is. */
const FORMULA = /(\$\$?(?=\S)[^$]{1,300}(?<=\S)\$\$?(?!\d))/;
/** Of one text. The rest stays as it is, so that a page takes no long time. */
const FORMULAS_MAX = 10;
/**
 * MathML that browsers show without styles. Anything else, such as colors and links, could say what the
 * source does not, or run what it should not.
 */
const PLAIN_MATHML =
  /^(?:<(?:\/m[a-z]+|math|m(?!enclose)[a-z]+)(?: (?!on|style|href|src)[a-z]+="[^"<>]*")*>|[^<>])+$/;

let renderer: typeof temml | undefined;

/** Loads what makes MathML. Only pages that show papers need it, so a server starts without it. */
export async function loadTex(): Promise<void> {
  renderer ??= (await import('temml')).default;
}

/** Needs `loadTex` before; without it, formulas stay as their source. */
export function TexText({ text }: { text: string }) {
  // Every second piece is a formula.
  return text
    .split(FORMULA)
    .map((piece, at) => (
      <Fragment key={String(at)}>
        {at % 2 === 0 || at > 2 * FORMULAS_MAX ? piece : <Formula source={piece} />}
      </Fragment>
    ));
}

/** The source is there to be copied, the MathML to be seen and read aloud. */
function Formula({ source }: { source: string }) {
  const __html = mathOf(source.replaceAll('$', ''));
  if (__html === undefined) return <>{source}</>;
  return (
    <span class="formula">
      <span class="tex" aria-hidden="true">
        {source}
      </span>
      {/* Nothing but plain MathML. */}
      <span dangerouslySetInnerHTML={{ __html }} />
    </span>
  );
}

/** Returns MathML; undefined for what is no formula, or needs more than that. */
function mathOf(tex: string): string | undefined {
  try {
    const html = renderer?.renderToString(tex, {
      throwOnError: true,
      maxExpand: 100,
    });
    return html !== undefined && PLAIN_MATHML.test(html) ? html : undefined;
  } catch {
    return undefined;
  }
}
