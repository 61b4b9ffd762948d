/** Chooses the media type of a response from `Accept` (RFC 9110, section 12.5.1). Pure. */

/** Asks for the form of errors, and says nothing about other responses. */
const PROBLEM = 'application/problem+json';

interface Range {
  /** `application/json`, `application/*`, or `*` twice. */
  type: string;
  weight: number;
}

/**
 * Returns the offered type that the client prefers, undefined if it accepts none. A type that is
 * named precedes one that a wildcard covers; then the order of the offer decides.
 */
export function chooseMediaType<Type extends string>(
  accept: string,
  offered: readonly Type[],
): Type | undefined {
  const ranges = accept
    .split(',')
    .map(parseRange)
    .filter(({ type }) => type !== '' && type !== PROBLEM);
  if (ranges.length === 0) return offered[0];
  const accepted = offered
    .map((type) => ({ type, ...weightOf(type, ranges) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.precision - a.precision);
  return accepted[0]?.type;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [, weight = '1'] = /^q\s*=\s*(\d(?:\.\d*)?)$/.exec(parameters.find(isWeight) ?? '') ?? [];
  return { type, weight: Number(weight) };
}

function isWeight(parameter: string): boolean {
  return /^q\s*=/.test(parameter);
}

/** The weight of the most precise range that covers a type. */
function weightOf(type: string, ranges: readonly Range[]): { weight: number; precision: number } {
  const forms = [type, `${type.split('/')[0]}/*`, '*/*'];
  for (const [at, form] of forms.entries()) {
    const range = ranges.find((one) => one.type === form);
    if (range !== undefined) return { weight: range.weight, precision: forms.length - at };
  }
  return { weight: 0, precision: 0 };
}
