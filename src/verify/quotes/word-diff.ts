/** The difference between a quote and the source's wording, word by word. Pure. */
import type { Token } from './quote-tokens.ts';

/** `=`: both have the text. `-`: only the quote has it. `+`: only the source has it. */
export type DiffPart = [kind: '=' | '-' | '+', text: string];

interface Tokenized {
  text: string;
  tokens: readonly Token[];
}

interface Step {
  kind: DiffPart[0];
  /** Of the quote for `-`, of the source otherwise. */
  token: Token;
}

/** The parts in order, by a longest common subsequence of tokens. */
export function diffTokens(quote: Tokenized, source: Tokenized): DiffPart[] {
  const parts: DiffPart[] = [];
  let open: { kind: DiffPart[0]; start: number; end: number } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const { text } = open.kind === '-' ? quote : source;
    parts.push([open.kind, text.slice(open.start, open.end)]);
  };
  for (const { kind, token } of stepsOf(quote.tokens, source.tokens)) {
    if (open?.kind === kind) open.end = token.end;
    else {
      close();
      open = { kind, start: token.start, end: token.end };
    }
  }
  close();
  return parts;
}

function stepsOf(quote: readonly Token[], source: readonly Token[]): Step[] {
  const columns = source.length + 1;
  const common = new Uint16Array((quote.length + 1) * columns);
  for (let row = quote.length - 1; row >= 0; row--) {
    for (let column = source.length - 1; column >= 0; column--) {
      const isSame = quote[row]?.text === source[column]?.text;
      const below = common[(row + 1) * columns + column] as number;
      const right = common[row * columns + column + 1] as number;
      const diagonal = common[(row + 1) * columns + column + 1] as number;
      common[row * columns + column] = isSame ? diagonal + 1 : Math.max(below, right);
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < quote.length || column < source.length) {
    const [own, other] = [quote[row], source[column]];
    if (own !== undefined && own.text === other?.text) {
      steps.push({ kind: '=', token: other });
      row++;
      column++;
    } else if (own !== undefined && isDeletion(common, { row, column, columns })) {
      steps.push({ kind: '-', token: own });
      row++;
    } else {
      steps.push({ kind: '+', token: other as Token });
      column++;
    }
  }
  return steps;
}

function isDeletion(
  common: Uint16Array,
  { row, column, columns }: { row: number; column: number; columns: number },
): boolean {
  if (column === columns - 1) return true;
  const below = common[(row + 1) * columns + column] as number;
  return below >= (common[row * columns + column + 1] as number);
}
