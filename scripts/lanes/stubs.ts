/** Stubs of providers, which answer well, slowly, wrongly, or never. */
import { feedOf } from '../../test/support/lanes/arxiv-stub.ts';
import { works } from '../../test/support/lanes/crossref-stub.ts';
import { papersOf } from '../../test/support/lanes/semantic-scholar-stub.ts';
import {
  type StubAnswer,
  type StubRequest,
  startStub,
} from '../../test/support/lanes/stub-server.ts';
import { oneOf, type Random } from '../measure/random.ts';

/** The papers of a good answer. */
const PAPERS = 5;

/** Good answers, whose papers contain the question. */
const goodAnswers = {
  arxiv(request: StubRequest, seed: number): StubAnswer {
    const papers = papersAbout(request.query['search_query'], seed);
    const entries = papers.map(({ number, title, abstract }) => {
      const id = `http://arxiv.org/abs/2401.${number + 10_000}v1`;
      return { id, title, summary: abstract, more: '<author><name>Ada Berg</name></author>' };
    });
    return feedOf(entries)(request, seed);
  },
  semantic_scholar({ query }: StubRequest, seed: number): StubAnswer {
    const papers = papersAbout(query['query'], seed).map(({ number, title, abstract }) => {
      const externalIds = { DOI: `10.5555/S2.${number}` };
      return { paperId: `p${number}`, externalIds, title, abstract, year: 2021, authors: [] };
    });
    return papersOf(papers);
  },
  crossref({ query }: StubRequest, seed: number): StubAnswer {
    const papers = papersAbout(query['query.bibliographic'], seed);
    const items = papers.map(({ number, title, abstract }) => ({
      DOI: `10.5555/C.${number}`,
      title: [title],
      issued: { 'date-parts': [[2020]] },
      abstract: `<jats:p>${abstract}</jats:p>`,
    }));
    return works(items);
  },
};

export type ProviderName = keyof typeof goodAnswers;
export const providerNames = Object.keys(goodAnswers) as ProviderName[];

function papersAbout(query = '', seed: number) {
  // Without the operators of a query of arXiv.
  const question = query.replace(/\b(?:all|ti|abs):|\b(?:OR|AND)\b|["()&<]/g, ' ');
  return Array.from({ length: PAPERS }, (_, i) => ({
    number: (seed * PAPERS + i) % 90_000,
    title: `Part ${i} of a study: ${question}`,
    abstract:
      `We asked ${seed} people about ${question}. Method ${i} was used throughout. ` +
      `The answers about ${question} differed by ${i} percent. More work is needed.`,
  }));
}

export type Behavior = 'well' | 'slow' | 'hanging' | 'failing' | 'too_many' | 'rubbish';

/** What a stub sends; a good answer if no body is given. */
const answers: Record<Behavior, StubAnswer> = {
  well: { delayMs: 400 },
  slow: { delayMs: 2_000 },
  hanging: { fault: 'hang' },
  failing: { status: 500, body: 'oops' },
  too_many: { status: 429, headers: { 'retry-after': '60' }, body: 'Rate exceeded.' },
  rubbish: { body: '{"data":[' },
};

/** The shares of behaviors among random ones, in percent. */
const mixture = { well: 45, slow: 25, too_many: 8, rubbish: 12, hanging: 10 };
const drawn = Object.entries(mixture).flatMap(([behavior, share]) =>
  Array.from({ length: share }, () => behavior as keyof typeof mixture),
);
const SLOW_MS_MAX = 4_000;
const rubbish = ['<html><body>Just a moment…</body></html>', '{"data":[', '<feed><entry><title>'];

type Drawn = StubAnswer & { behavior: Behavior };

/** Behaves the same with each request. */
export function always(behavior: Behavior): () => Drawn {
  return () => ({ behavior, ...answers[behavior] });
}

/** Draws a behavior for each request. */
export function atRandom(random: Random): () => Drawn {
  const isHeads = (): boolean => random.unit() < 0.5;
  return () => {
    const behavior = oneOf(drawn, random);
    const answer: Drawn = { behavior, ...answers[behavior] };
    if (behavior === 'well') answer.delayMs = 0;
    if (behavior === 'slow') answer.delayMs = random.below(SLOW_MS_MAX);
    if (behavior === 'rubbish') {
      answer.body = oneOf(rubbish, random);
      answer.status = isHeads() ? 200 : 500;
    }
    // Real providers do not always say when to come again.
    if (behavior === 'too_many') answer.headers = isHeads() ? { 'retry-after': '1' } : {};
    return answer;
  };
}

export interface Stubs {
  /** The settings of a server that asks them. */
  env: Record<string, string>;
  /** The times of the requests to each (performance.now()). */
  timesOf(name: ProviderName): number[];
  /** Requests by behavior. */
  counts: Partial<Record<Behavior, number>>;
  close(): Promise<void>;
}

/** Starts a stub of each provider. */
export async function startStubs(drawOf: (name: ProviderName) => () => Drawn): Promise<Stubs> {
  const counts: Stubs['counts'] = {};
  const env: Record<string, string> = {
    VERBATIM_LANES: 'arxiv,semantic_scholar,web',
    VERBATIM_LANE_CONTACT: 'lanes@example.org',
  };
  const servers = new Map<ProviderName, Awaited<ReturnType<typeof startStub>>>();
  for (const name of providerNames) {
    const draw = drawOf(name);
    const server = await startStub((request, index) => {
      const { behavior, ...answer } = draw();
      counts[behavior] = (counts[behavior] ?? 0) + 1;
      if (answer.body !== undefined) return answer;
      return { ...goodAnswers[name](request, index + 1), ...answer };
    });
    servers.set(name, server);
    env[`VERBATIM_${name.toUpperCase()}_URL`] = server.url;
  }
  return {
    env,
    counts,
    timesOf: (name) => (servers.get(name)?.requests ?? []).map(({ at }) => at),
    async close() {
      for (const server of servers.values()) await server.close();
    },
  };
}
