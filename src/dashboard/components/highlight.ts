/** Where a quoted sentence stands in its abstract. Pure. */

export interface Highlighted {
  before: string;
  quote: string;
  after: string;
}

/** The abstract around the sentence; undefined where it is not in it: then a title was quoted. */
export function highlight(abstract: string, quote: string): Highlighted | undefined {
  const start = quote === '' ? -1 : abstract.indexOf(quote);
  if (start < 0) return undefined;
  return {
    before: abstract.slice(0, start),
    quote,
    after: abstract.slice(start + quote.length),
  };
}
