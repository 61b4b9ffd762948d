/**
 * Looks up a reference at the lanes: by its identifiers, and if no lane has the work, by its title and
 * its first author.
 */
import type { LaneAnswer } from '../types.ts';
import type { LaneDocument, LaneReport, Lanes } from './lane/lane.ts';
import { createAdaptiveDeadline } from './resilience/adaptive-deadline.ts';
import type { InquireReference, ResilientLane } from './resilience/resilient-lane.ts';
import { plainLine } from './text/plain-text.ts';
import { normalizeQuery } from './text/query-text.ts';
import { redactContacts } from './text/redact-contacts.ts';

/** The reasons for which a provider has nothing to be asked. */
const notAskedReasons: readonly string[] = ['no_words', 'no_look_up'];

export function createLookUp(lanes: readonly ResilientLane[]): Lanes['lookUp'] {
  return async (reference, { allowed, deadline, isSought }) => {
    const asked = lanes.filter(({ name }) => allowed.includes(name));
    const until = createAdaptiveDeadline(deadline, Infinity);
    const answers = new Map<string, LaneAnswer>(asked.map(({ name }) => [name, 'not_asked']));
    const documents: LaneDocument[] = [];
    let isFound = false;
    const ask = async (inquire: InquireReference): Promise<void> => {
      const responses = await Promise.all(
        asked.map(async (lane) => {
          const response = await lane.lookUp(inquire, until);
          const answer = answerOf(response.report);
          if (answer !== 'not_asked') answers.set(lane.name, answer);
          if (response.documents.some(isSought)) {
            isFound = true;
            until.pass();
          }
          return response;
        }),
      );
      documents.push(...responses.flatMap((response) => response.documents));
    };
    const { identifiers } = reference;
    const [title, author] = [reference.title, reference.author].map((text) =>
      // Decode entities first, because they may hide an address.
      normalizeQuery(redactContacts(plainLine(text))),
    ) as [string, string];
    if (Object.keys(identifiers).length > 0) {
      await ask((lookUp) => lookUp.byIdentifiers(identifiers));
    }
    if (!isFound && title !== '') await ask((lookUp) => lookUp.byTitle(title, author));
    until.close();
    return { documents, answers: Object.fromEntries(answers) };
  };
}

function answerOf({ outcome, reason }: LaneReport): LaneAnswer {
  if (outcome === 'answered' || outcome === 'cached') return 'answered';
  return outcome === 'skipped' && notAskedReasons.includes(reason) ? 'not_asked' : 'no_answer';
}
