/** The types of papers in the words of all sources, as one of our own types. Pure. */
import { type PaperType, paperTypes } from '../types.ts';

/** The words of a type, in small letters without anything between them. */
const wordsOf: Record<PaperType, string> = {
  article: `article articlejournal journalarticle jour ejour researcharticle researchpaper jarticle
    study briefreport rapidcommunication shortcommunication casereport casereports clinicaltrial
    randomizedcontrolledtrial comparativestudy observationalstudy multicenterstudy clinicalstudy
    evaluationstudy validationstudy datapaper softwarepaper articlemagazine`,
  review: 'review reviewarticle systematicreview metaanalysis scopingreview literaturereview',
  preprint: 'preprint postedcontent',
  'conference-paper': `conferencepaper conferencearticle inproceedings conference conf cpaper
    paperconference proceedingsarticle proceedingspaper meetingabstract conferenceabstract congress`,
  book: 'book monograph editedbook ebook edbook mvbook referencebook',
  chapter: `chapter chap bookchapter booksection bookpart incollection inbook echap referenceentry
    entryencyclopedia encyclopediaarticle`,
  dissertation: 'dissertation thesis thes phdthesis mastersthesis doctoralthesis masterthesis',
  report: 'report rprt techreport technicalreport workingpaper governmentdocument',
  dataset: 'dataset data',
  editorial: 'editorial editorialmaterial',
  letter: 'letter lettersandcomments comment',
  erratum: 'erratum corrigendum correction publishederratum addendum',
  retraction: 'retraction retractionofpublication retractionnotice',
  other: 'other misc gen generic unpublished unpb libguides',
};

const typeOfWord = new Map(
  paperTypes.flatMap((type) => wordsOf[type].split(/\s+/).map((word) => [word, type] as const)),
);

/**
 * A source may give several types, such as "Journal Article" and "Review". The first of these says
 * the most.
 */
const bySpecificity: readonly PaperType[] = [
  ...(['retraction', 'erratum', 'editorial', 'letter', 'review', 'dissertation'] as const),
  ...(['chapter', 'book', 'report', 'dataset', 'conference-paper', 'preprint'] as const),
  ...(['article', 'other'] as const),
];

/** The type that the words of a source mean; undefined if none of them is known. */
export function paperTypeOf(words: readonly string[]): PaperType | undefined {
  const found = words.map((word) =>
    typeOfWord.get(word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')),
  );
  return bySpecificity.find((type) => found.includes(type));
}
