/**
 * The title of a PubMed record. NLM encloses translated titles in square brackets, which are removed.
 * Without a translation (`[Not Available].`) it is the original title. Pure.
 */
export function pubmedTitle(title: string, vernacular: string): string {
  const [, translated, stop = ''] = /^\[(.*)\](\.?)$/.exec(title) ?? [];
  const isWrapped = translated !== undefined && !/^[^[]*\]/.test(translated);
  const own = isWrapped ? `${translated}${/[.?!]$/.test(translated) ? '' : stop}` : title;
  return own === '' || /^not available\.?$/i.test(own) ? vernacular : own;
}
