/** Reads what `npm audit --json` printed. Pure. */

/**
 * Returns one sentence for each vulnerable package. `unanswered` says why the registry told nothing;
 * it is undefined if it did.
 */
export function readAdvisories(printed) {
  let answer;
  try {
    answer = JSON.parse(printed);
  } catch {
    return { advisories: [], unanswered: 'npm audit printed no JSON' };
  }
  if (answer.vulnerabilities === undefined) {
    const status = answer.statusCode === undefined ? undefined : `status ${answer.statusCode}`;
    return { advisories: [], unanswered: status ?? answer.error?.summary ?? 'no list' };
  }
  const advisories = Object.values(answer.vulnerabilities).map(({ name, severity, range, via }) => {
    const titles = via.flatMap((cause) => (typeof cause === 'string' ? [] : [cause.title]));
    return `${name} ${range}, ${severity}: ${titles.join('; ') || `through ${via.join(', ')}`}`;
  });
  return { advisories, unanswered: undefined };
}
