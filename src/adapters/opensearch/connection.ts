import { setTimeout } from 'node:timers/promises';
import { Client, errors } from '@opensearch-project/opensearch';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { TimedOut, withinTime } from '../within-time.ts';
import { createBreaker } from './breaker.ts';
import { explainedRefusal, refusalOf } from './failures.ts';

export interface Question {
  /** For messages; it holds nothing that was typed or stored. */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** Instead of a body: one JSON text each. */
  readonly lines?: readonly string[];
  /** Statuses that are answers and no errors. */
  readonly accepts?: readonly number[];
  readonly timeoutMs?: number;
}

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

export interface OpenSearchConnection {
  /** Throws BackendUnavailable after a bounded time, and never anything that quotes the address. */
  readonly ask: <Body>(question: Question) => Promise<Answer<Body>>;
  readonly close: () => Promise<void>;
}

/** Somebody waits for the answer. What the server may need longer for says so. */
const defaultAnswerMs = 3_000;
/** What changes the cluster, its files or all of an index takes longer, and nobody's request waits for it. */
export const longAnswerMs = 30_000;
/** A server that is well answers the smallest question in some milliseconds. */
const probeMs = 2_000;
/**
 * A connection that was idle may have been closed by the server, and each of several nodes may be away. Between two tries the
 * other connections that were closed with it are noticed.
 */
const pausesMs = [20, 100];

const createClient = (urls: readonly string[]): Client => {
  try {
    // Its own retries would repeat also what has not answered in time.
    return new Client({ nodes: [...urls], maxRetries: 0 });
  } catch (error) {
    const name = error instanceof Error ? error.name : 'an error';
    throw new StartupError(
      `The address of OpenSearch cannot be read (${name}): it has the form https://user:password@host:9200, with ` +
        'special characters of the password encoded.',
    );
  }
};

/** The client's errors hold the connection with its user and password: only their words are kept. */
const wordsOf = (error: Error): Error => new Error(`${error.name}: ${error.message}`);

export function connectOpenSearch(urls: readonly string[], answerMs = defaultAnswerMs): OpenSearchConnection {
  const client = createClient(urls);

  const askOnce = async <Body>(question: Question, givenUp: AbortSignal): Promise<Answer<Body>> => {
    const { what, method, path, query, body, lines, accepts = [], timeoutMs = answerMs } = question;
    const running = client.transport.request(
      {
        method,
        path,
        ...(query && { querystring: query }),
        ...(body && { body }),
        ...(lines && { bulkBody: `${lines.join('\n')}\n` }),
      },
      { ignore: [...accepts], requestTimeout: 2 * timeoutMs },
    );
    const abort = (): void => void running.abort();
    givenUp.addEventListener('abort', abort, { once: true });
    try {
      const answer = await withinTime({ server: 'OpenSearch', what, timeoutMs }, Promise.resolve(running));
      return { status: answer.statusCode ?? 0, body: answer.body as Body };
    } catch (error) {
      if (error instanceof TimedOut) abort();
      throw error;
    }
  };

  const explained = (what: string, error: unknown): unknown => {
    if (error instanceof errors.ResponseError) {
      const { body, statusCode } = error;
      return explainedRefusal(what, refusalOf(statusCode ?? 0, (body as { error?: unknown } | null)?.error ?? body));
    }
    if (error instanceof TimedOut) return new BackendUnavailable('OpenSearch', { cause: error });
    if (!(error instanceof errors.OpenSearchClientError)) return error;
    // The rest is an answer that is none: of a proxy, say, or of another program at this address.
    return new BackendUnavailable('OpenSearch', { cause: wordsOf(error) });
  };

  const askPatiently = async <Body>(question: Question, givenUp: AbortSignal): Promise<Answer<Body>> => {
    for (const pauseMs of pausesMs) {
      try {
        return await askOnce<Body>(question, givenUp);
      } catch (error) {
        if (!(error instanceof errors.ConnectionError)) throw error;
        await setTimeout(pauseMs);
      }
    }
    return askOnce<Body>(question, givenUp);
  };

  const breaker = createBreaker((givenUp) => {
    const timeoutMs = Math.min(probeMs, answerMs);
    return askOnce({ what: 'tell whether it is there', method: 'GET', path: '/', timeoutMs }, givenUp);
  });

  return {
    ask: async <Body>(question: Question) => {
      try {
        return await breaker.whileThere((givenUp) => askPatiently<Body>(question, givenUp));
      } catch (error) {
        const reason = explained(question.what, error);
        if (error instanceof TimedOut || error instanceof errors.ConnectionError) breaker.trip(reason);
        throw reason;
      }
    },
    close: async () => {
      breaker.close();
      await client.close();
    },
  };
}
