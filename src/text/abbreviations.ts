/**
 * The word lists of the sentence splitter: English abbreviations whose period may not end a
 * sentence, and words that begin one. Data only; `split-sentences.ts` applies it.
 *
 * Words are spelled as in running text, without their last period. Case matters, because "MS" is
 * not a title and "Al" is not "et al.".
 */

/** The sentence always continues after these: "vs. 28.2", "Fig. 2", "Dr. Smith". */
const NEVER_FINAL = words(`
  e.g E.g eg i.e I.e ie cf Cf viz vs Vs v approx Approx ca esp incl resp
  Fig fig Figs figs Eq eq Eqs eqs Eqn eqn Eqns eqns Ref ref Refs refs Sect Suppl Tab
  Dr Drs Prof Mr Mrs Ms Mme Messrs St Mt
`);

/** Abbreviations only before a number: "No. 5", "pp. 10-12", "Aug. 31". */
const BEFORE_NUMBER = words(`
  No no Nos nos Nr nr p pp Vol vol Vols vols Ch ch Chap chap Sec Art
  Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
`);

/** May end a sentence, but only if a sentence opener follows. */
const BEFORE_OPENER = words(`
  al Inc Ltd Co Corp Bros Jr Sr sp spp ssp subsp var cv Dept Univ Assoc
  Ph.D M.Sc B.Sc D.Sc D.Phil
  Proc Natl Acad Sci Biol Biophys Chem Biochem Physiol Pharmacol Immunol Microbiol Neurosci
  Genet Clin Mol Lett Engl Am Eur Int Conf
`);

/** May end a sentence if any capitalized word follows. */
export const BEFORE_CAPITAL = words('etc conc temp');

/** Nouns that take a letter, which then is not an initial: "vitamin C". In lower case. */
export const LETTERED_NOUNS = words(`
  appendix category chromosome class coenzyme cytochrome degrees factor figure grade group
  haemophilia hemophilia hepatitis immunoglobulin influenza panel part phase protein stage table
  type vitamin
`);

/** Capitals that are units after a number: "77 K", "2 V". */
export const UNIT_CAPITALS = words('A C F G H J K M N T V W Å Ω');

/** Sentence openers that are names, too, and may follow an initial as such: "X. He", "J. In". */
export const POSSIBLE_NAMES = words(
  'A An As At But By Do He How I In My No On One Or So Such To You',
);

/** Words that open a sentence and do not continue a name, and the labels of structured abstracts. */
const SENTENCE_OPENERS = words(`
  A An The This These Those That There Here Such Each Every Both All Some Many Most Several Few
  We Our I My He She It Its They Their You Your One No None Nobody Neither Either Another Other
  Two Three Four Five Six Seven Eight Nine Ten Half
  In On At By For From To With Without Within Of As After Before During Among Between Under Upon
  Through Throughout Over Since Until Despite Because Although Though While Whereas When Where
  Whether If Unlike Like Using Based Given Compared Following According
  However Moreover Furthermore Therefore Thus Hence Then Similarly Likewise Additionally Also
  Interestingly Importantly Notably Surprisingly Finally First Second Third Overall Together Taken
  Specifically Subsequently Accordingly Lastly Again Experiments
  Further Nevertheless Nonetheless Consequently Conversely Instead Indeed Meanwhile Recently
  But And Or So Yet Not Only How What Which Who Why
  Background Introduction Objective Objectives Aim Aims Purpose Methods Results Findings
  Conclusion Conclusions Discussion Interpretation
  BACKGROUND CONTEXT INTRODUCTION IMPORTANCE RATIONALE OBJECTIVE OBJECTIVES AIM AIMS PURPOSE
  DESIGN SETTING SUBJECTS PATIENTS PARTICIPANTS INTERVENTION INTERVENTIONS MATERIALS METHOD METHODS
  MAIN MEASUREMENTS RESULT RESULTS FINDINGS LIMITATIONS DISCUSSION INTERPRETATION
  CONCLUSION CONCLUSIONS SIGNIFICANCE FUNDING
`);

/** The words of a language by which `split-sentences.ts` judges a period. */
export interface SentenceWords {
  /** As `NEVER_FINAL`. */
  neverFinal: ReadonlySet<string>;
  beforeNumber: ReadonlySet<string>;
  beforeOpener: ReadonlySet<string>;
  openers: ReadonlySet<string>;
  /** Whether a period after a number makes it an ordinal: "am 3. Mai". */
  hasOrdinals?: boolean;
}

export const ENGLISH: SentenceWords = {
  neverFinal: NEVER_FINAL,
  beforeNumber: BEFORE_NUMBER,
  beforeOpener: BEFORE_OPENER,
  openers: SENTENCE_OPENERS,
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
