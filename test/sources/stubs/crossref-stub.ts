/**
 * A stub of the works of Crossref's REST API, after crossref.org/documentation/retrieve-metadata/rest-api
 * and api.crossref.org/swagger-ui (read in November 2026): filters, pages by a cursor that stays the same
 * and moves on with each use, `Resource not found.` for one that has expired, the limits of the polite
 * pool in headers, but so high that nobody waits.
 */
import {
  jsonResponse,
  type StubAnswer,
  type StubRequest,
  type StubServer,
  startStub,
} from '../../support/lanes/stub-server.ts';

export interface CrossrefWork {
  doi: string;
  abstract?: string;
  /** Days. */
  created: string;
  updated: string;
  published?: string;
  issn?: string;
  type?: string;
  /** The DOI that it takes back or corrects. */
  updates?: { doi: string; type: 'retraction' | 'correction' };
}

export interface CrossrefStub extends StubServer {
  works: CrossrefWork[];
  /** Makes other answers of the right ones to the next requests. The cursor moves on nevertheless. */
  faults: ((right: StubAnswer) => StubAnswer)[];
  /** The queries of the requests since the last call. */
  asked(): Record<string, string>[];
}

export const expired: StubAnswer = { status: 404, body: 'Resource not found.' };

/** Without a cap, a page has as many works as are asked for. */
export async function startCrossref(rowsMax = 1_000): Promise<CrossrefStub> {
  const cursors = new Map<string, CrossrefWork[]>();
  const faults: CrossrefStub['faults'] = [];
  let first = 0;
  const stub = await startStub((request) => {
    const right = answerTo(request);
    return faults.shift()?.(right) ?? right;
  });
  const answerTo = ({ path, query }: StubRequest): StubAnswer => {
    const { cursor = '', filter = '', rows = '20', select } = query;
    if (path !== '/works') return expired;
    const matches = filter.split(',').map(filterOf);
    if (matches.includes(undefined)) return invalid(`Filter ${filter} is not available`);
    const found = state.works.filter((work) => matches.every((match) => match?.(work)));
    const rest = cursor === '*' ? found : cursors.get(cursor);
    if (rest === undefined) return expired;
    const token = cursor === '*' ? `cursor+/${cursors.size}==` : cursor;
    const shown = rest.slice(0, Math.min(Number(rows), rowsMax));
    cursors.set(token, rest.slice(shown.length));
    const message = {
      facets: {},
      'next-cursor': token,
      'total-results': found.length,
      items: shown.map((work) => selected(workJson(work), select)),
      ...{ 'items-per-page': shown.length, query: { 'start-index': 0, 'search-terms': null } },
    };
    return jsonResponse(
      { status: 'ok', 'message-type': 'work-list', 'message-version': '1.0.0', message },
      {
        headers: {
          'x-rate-limit-limit': '1000',
          'x-rate-limit-interval': '1s',
          'x-api-pool': 'polite-array',
        },
      },
    );
  };
  const state = Object.assign(stub, {
    works: [] as CrossrefWork[],
    faults,
    asked() {
      const since = stub.requests.slice(first);
      first = stub.requests.length;
      return since.map(({ query }) => query);
    },
  });
  return state;
}

function invalid(message: string): StubAnswer {
  const problem = { type: 'filter-not-available', message };
  const body = { status: 'failed', 'message-type': 'validation-failure', message: [problem] };
  return jsonResponse(body, { status: 400 });
}

function filterOf(text: string): ((work: CrossrefWork) => boolean) | undefined {
  const [, name, value = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? [];
  const filters: Record<string, (work: CrossrefWork) => boolean> = {
    'has-abstract': ({ abstract }) => abstract !== undefined,
    'is-update': ({ updates }) => updates !== undefined,
    'from-created-date': ({ created }) => created >= value,
    'until-created-date': ({ created }) => created <= value,
    'from-update-date': ({ updated }) => updated >= value,
    'from-pub-date': ({ published = '2024-01-01' }) => published >= value,
    'until-pub-date': ({ published = '2024-01-01' }) => published <= value,
    type: ({ type = 'journal-article' }) => type === value,
    issn: ({ issn }) => issn === value,
  };
  return filters[name ?? ''];
}

function workJson({
  doi,
  abstract,
  created,
  updated,
  published = '2024-01-01',
  updates,
  type = 'journal-article',
}: CrossrefWork) {
  const parts = (day: string) => ({ 'date-parts': [day.split('-').map(Number)] });
  return {
    indexed: { ...parts(updated), timestamp: Date.parse(updated) },
    created: parts(created),
    deposited: { ...parts(updated), timestamp: Date.parse(updated) },
    DOI: doi,
    type,
    language: 'en',
    issued: parts(published),
    title: [`A study of tides numbered ${doi}`],
    author: [{ given: 'Ada', family: 'Berg', sequence: 'first' }],
    'container-title': ['Journal of tides'],
    ...(abstract === undefined ? {} : { abstract: `<jats:p>${abstract}</jats:p>` }),
    ...(updates && {
      'update-to': [{ DOI: updates.doi, type: updates.type, updated: parts(updated) }],
    }),
  };
}

function selected(work: Record<string, unknown>, select: string | undefined) {
  if (select === undefined) return work;
  return Object.fromEntries(
    Object.entries(work).filter(([name]) => select.split(',').includes(name)),
  );
}
