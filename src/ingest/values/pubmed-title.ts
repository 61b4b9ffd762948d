/**
 * The title of a record of PubMed. NLM puts one that it translated into square brackets, which are
 * not the title's; where it has none, `[Not Available].`, the original title is what there is. Pure.
 */
export function pubmedTitle(title: string, vernacular: string): string {
  const [, translated, stop = ''] = /^\[(.*)\](\.?)$/.exec(title) ?? [];
  const isWrapped = translated !== undefined && !/^[^[]*\]/.test(translated);
  const own = isWrapped ? `${translated}${/[.?!]$/.test(translated) ? '' : stop}` : title;
  return own === '' || /^not available\.?$/i.test(own) ? vernacular : own;
}
