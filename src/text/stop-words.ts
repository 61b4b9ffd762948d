/** English words that are too common to describe a text. */
const words = `
a about above after again against all also although am among an and any are as at be because been
before being below between both but by can cannot could did do does doing done down during each
either else ever few for from further had has have having he her here hers him his how however i
if in into is it its itself just least less let may me might more most much must my neither no nor
not of off often on once only or other our ours out over own per rather really same shall she
should since so some such than that the their theirs them then there therefore these they this
those though through thus to too toward towards under until up upon us very was we were what when
where whether which while who whom whose why will with within without would yet you your yours
`;

export const stopWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/));
