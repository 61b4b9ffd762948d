/** Venues whose acronyms are not the initials of their names. Pure. */

/** By canonical name: acronyms, and beginnings of words that must all follow each other. */
const venues: Readonly<
  Record<string, { acronyms: readonly string[]; phrases: readonly string[] }>
> = {
  neurips: { acronyms: ['neurips', 'nips'], phrases: ['neur inf proc sys'] },
  aistats: {
    acronyms: ['aistats'],
    phrases: ['artificial intelligence statistics', 'artif intell stat'],
  },
  kdd: { acronyms: ['kdd'], phrases: ['knowl disc data min'] },
  www: { acronyms: ['www', 'thewebconf'], phrases: ['world wide web', 'web conf'] },
  colt: { acronyms: ['colt'], phrases: ['conf learn theory', 'comput learn theory'] },
  naacl: { acronyms: ['naacl', 'naaclhlt'], phrases: ['north am chap assoc comput ling'] },
  eacl: { acronyms: ['eacl'], phrases: ['eur chap assoc comput ling'] },
  acl: { acronyms: ['acl'], phrases: ['assoc comput ling'] },
  emnlp: { acronyms: ['emnlp'], phrases: ['empir meth nat lang proc'] },
  aaai: { acronyms: ['aaai'], phrases: ['aaai conf art intel'] },
  ijcai: { acronyms: ['ijcai'], phrases: ['joint conf art intel'] },
  iclr: { acronyms: ['iclr'], phrases: ['learn repr'] },
  icml: { acronyms: ['icml'], phrases: ['int conf mach learn'] },
  cvpr: { acronyms: ['cvpr'], phrases: ['comp vis patt rec'] },
  uai: { acronyms: ['uai'], phrases: ['uncert art intel'] },
  interspeech: { acronyms: ['interspeech'], phrases: ['int speech commun assoc'] },
  lncs: { acronyms: ['lncs'], phrases: ['lect notes comp sci'] },
  pnas: { acronyms: ['pnas'], phrases: ['proc nat acad sci'] },
  plosone: { acronyms: ['plosone'], phrases: ['plos one', 'public library of science one'] },
};

const SKIPPED = /^(?:of|the|on|in|and|for|at|to|an?|annual|advances|adv)$/;

/**
 * The canonical name of a venue; undefined if it is not among these. `words` are those of its name,
 * in lower case, and `acronyms` what may stand for the whole name.
 */
export function knownVenue(
  words: readonly string[],
  acronyms: readonly string[],
): string | undefined {
  const meant = words.filter((word) => !SKIPPED.test(word));
  const entries = Object.entries(venues);
  const byAcronym = entries.find(([, venue]) =>
    venue.acronyms.some((each) => acronyms.includes(each)),
  );
  // The longest phrase first: "North American Chapter of the ACL" has that of the ACL in it.
  const byPhrase = entries
    .flatMap(([name, { phrases }]) => phrases.map((phrase) => ({ name, parts: phrase.split(' ') })))
    .sort((a, b) => b.parts.length - a.parts.length)
    .find(({ parts }) => hasRun(meant, parts));
  return byPhrase?.name ?? byAcronym?.[0];
}

function hasRun(words: readonly string[], parts: readonly string[]): boolean {
  return words.some((_, start) =>
    parts.every((part, at) => {
      const word = words[start + at];
      if (word === undefined) return false;
      return word.startsWith(part) || (word.length >= 3 && part.startsWith(word));
    }),
  );
}
