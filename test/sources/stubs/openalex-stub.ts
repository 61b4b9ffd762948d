/**
 * A stub of OpenAlex: its list of works and its snapshot, after help.openalex.org (read in November
 * 2026): api/paging (11 August), api/filtering (3 October), api/errors (4 October), access/snapshot (5
 * August) and access/sync (17 August). That a plan lacks a filter is answered with status 429, as in
 * github.com/ourresearch/openalex-api-proxy (21 August).
 */
import { gzipSync } from 'node:zlib';
import {
  jsonResponse,
  type StubAnswer,
  type StubRequest,
  type StubServer,
  startStub,
} from '../../support/lanes/stub-server.ts';

export interface StubWork {
  /** Such as W1. */
  id: string;
  title: string;
  published: string;
  /** The day of its last change. */
  updated: string;
  language?: string;
  isRetracted?: boolean;
}

export interface OpenalexStub extends StubServer {
  works: StubWork[];
  /** The key of a paid plan; others are of free accounts. */
  paidKey: string;
  /** Cursors of before are invalid. */
  expireCursors(): void;
  /** The files of the snapshot by day. */
  days: Record<string, StubWork[][]>;
  /** Absent: the release has no list. */
  deleted: [id: string, day: string][] | undefined;
  /** An answer in place of the stub's own; undefined: its own. */
  instead: (request: StubRequest) => StubAnswer | undefined;
}

const SNAPSHOT = '/data/jsonl/works/';

export async function startOpenalex(works: StubWork[], perPage = 2): Promise<OpenalexStub> {
  let generation = 1;
  const stub = await startStub((request) => state.instead(request) ?? answer(request));
  const state: OpenalexStub = Object.assign(stub, {
    works,
    paidKey: 'paid',
    expireCursors: () => void generation++,
    days: {},
    deleted: undefined,
    instead: () => undefined,
  });
  const answer = (request: StubRequest): StubAnswer => {
    if (request.path === '/works') return list(request);
    const name = request.path.slice(SNAPSHOT.length);
    const content = filesOf(state).get(name);
    if (!request.path.startsWith(SNAPSHOT) || content === undefined) return { status: 404 };
    return { headers: { 'content-type': 'binary/octet-stream' }, body: content };
  };
  const list = ({ query, headers }: StubRequest): StubAnswer => {
    const { filter = '', cursor = '', per_page: size = '25' } = query;
    if (/updated_date:/.test(filter) && headers.authorization !== `Bearer ${state.paidKey}`) {
      const message = 'The filter requires a Premium, Institutional, or Partner plan.';
      return jsonResponse({ error: 'Plan upgrade required', message }, { status: 429 });
    }
    if (Number(size) > 100) return refused('per_page must be at most 100');
    const [known, start] = cursor === '*' ? [generation, 0] : JSON.parse(atob(cursor));
    if (known !== generation) return refused('Invalid cursor value', 'Pagination error.');
    const matching: StubWork[] = [];
    for (const work of state.works) {
      const met = filter.split(',').map((clause) => meets(work, clause));
      if (met.includes(undefined)) return refused('Unknown filter field');
      if (met.every(Boolean)) matching.push(work);
    }
    const page = matching.slice(start, start + perPage);
    const isLast = page.length < perPage;
    const next = isLast ? null : btoa(JSON.stringify([generation, start + perPage]));
    const meta = { count: matching.length, page: null, per_page: perPage, next_cursor: next };
    return jsonResponse({ meta, results: page.map(jsonOf), group_by: [] });
  };
  return state;
}

function refused(message: string, error = 'Invalid query parameters error.'): StubAnswer {
  return jsonResponse({ error, message }, { status: 400 });
}

/** Undefined for an unknown filter. */
function meets(work: StubWork, clause: string): boolean | undefined {
  const at = clause.indexOf(':');
  const [name, value] = [clause.slice(0, at), clause.slice(at + 1)];
  return {
    'topics.id': true,
    type: value.split('|').includes('article'),
    language: value.split('|').includes(work.language ?? 'en'),
    has_abstract: true,
    is_retracted: work.isRetracted === true,
    from_publication_date: work.published >= value,
    to_publication_date: work.published <= value,
    from_updated_date: work.updated >= value,
  }[name];
}

function jsonOf({ id, title, published, updated, language = 'en', isRetracted = false }: StubWork) {
  return {
    id: `https://openalex.org/${id}`,
    doi: null,
    ids: { openalex: `https://openalex.org/${id}` },
    title,
    display_name: title,
    publication_year: Number(published.slice(0, 4)),
    language,
    type: 'article',
    authorships: [{ author: { id: null, display_name: 'Ada Berg' }, raw_author_name: 'Berg, A.' }],
    abstract_inverted_index: { We: [0], measured: [1], 'it.': [2] },
    is_retracted: isRetracted,
    updated_date: `${updated}T01:00:00`,
  };
}

/** The files of the works of the snapshot, with its manifest. */
export function filesOf({
  days,
  deleted,
}: Pick<OpenalexStub, 'days' | 'deleted'>): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const listed: object[] = [];
  for (const [day, parts] of Object.entries(days)) {
    for (const [at, works] of parts.entries()) {
      const name = `updated_date=${day}/part_${String(at).padStart(4, '0')}.gz`;
      const lines = works.map((work) => `${JSON.stringify(jsonOf(work))}\n`);
      const content = gzipSync(lines.join(''));
      files.set(name, content);
      const meta = { content_length: content.length, record_count: works.length };
      listed.push({ url: `s3://openalex${SNAPSHOT}${name}`, meta });
    }
  }
  const manifest = { date: '2026-11-01', format: 'jsonl', entity: 'works', files: listed };
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  if (deleted !== undefined) {
    const rows = deleted.map(([id, day]) => `https://openalex.org/${id},${day}\n`);
    files.set('deleted_ids.csv.gz', gzipSync(`work_id,deleted_date\n${rows.join('')}`));
  }
  return files;
}
