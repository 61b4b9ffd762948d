/**
 * The last questions of each browser session on the page Try it, in memory: they are neither stored
 * nor logged. A session forgets them when it signs out.
 */
import { hashToken } from '../../accounts/sql/secret-tokens.ts';

export interface RecentQuestion {
  /** Names it in an address, so that the question itself is in none. */
  id: number;
  query: string;
}

export interface RecentQuestions {
  /** A question that was asked before moves to the front. */
  add(session: string, query: string): void;
  /** Returns the questions of a session, the latest first. */
  list(session: string): readonly RecentQuestion[];
  forget(session: string): void;
  clear(): void;
}

export interface RecentQuestionsOptions {
  questionsPerSessionMax: number;
  /** One more session makes the one that asked longest ago lose its questions. */
  sessionsMax: number;
}

export function createRecentQuestions(options: RecentQuestionsOptions): RecentQuestions {
  const { questionsPerSessionMax, sessionsMax } = options;
  // The session that asked last is the last one.
  const sessions = new Map<string, RecentQuestion[]>();
  let lastId = 0;
  return {
    add(session, query) {
      lastId++;
      const others = (sessions.get(session) ?? []).filter((asked) => asked.query !== query);
      sessions.delete(session);
      sessions.set(session, [{ id: lastId, query }, ...others].slice(0, questionsPerSessionMax));
      for (const oldest of sessions.keys()) {
        if (sessions.size <= sessionsMax) break;
        sessions.delete(oldest);
      }
    },
    list: (session) => sessions.get(session) ?? [],
    forget: (session) => void sessions.delete(session),
    clear: () => sessions.clear(),
  };
}

/** A call from a browser with a session. */
interface SessionCall {
  cookieToken: string | undefined;
}

/** Names the session of a call. The hash of its token, so that no token stays in memory. */
export function sessionName({ cookieToken = '' }: SessionCall): string {
  return hashToken(cookieToken).toString('base64url');
}

/** Returns the questions of the session of a call, the latest first. */
export function recentQuestionsOf(
  questions: RecentQuestions,
  call: SessionCall,
): readonly RecentQuestion[] {
  return questions.list(sessionName(call));
}
