/** Tells that a question is in a language that the model does not read. Pure. */
import { MULTILINGUAL } from '../text/embed/manifest.ts';
import type { Encoder } from '../text/embed/model.ts';
import { languageOf } from '../text/language.ts';

/** A question that the encoder of queries reads poorly, so that only its words find papers. */
export interface UnreadLanguage {
  /** The code of the question's language, or `und`. */
  question: string;
  /** The codes of those that the model reads. */
  model: readonly string[];
}

/** Returns undefined if the model reads the language of the question. */
export function unreadLanguage(
  question: string,
  { languages }: Required<Pick<Encoder, 'languages'>>,
): UnreadLanguage | undefined {
  if (languages === MULTILINGUAL) return undefined;
  const language = languageOf(question);
  return languages.includes(language) ? undefined : { question: language, model: languages };
}

/** As a sentence, for people and agents. */
export function describeUnread({ question, model }: UnreadLanguage): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const asked = question === 'und' ? 'another language' : names.of(question);
  const read = model.map((code) => names.of(code)).join(', ');
  return `The question is in ${asked}, and the model reads ${read}: mostly words find papers.`;
}

/** As a header: `de; model=en`, or `de; model="en fr"`. */
export function formatUnread({ question, model }: UnreadLanguage): string {
  return `${question}; model=${model.length === 1 ? model[0] : `"${model.join(' ')}"`}`;
}
