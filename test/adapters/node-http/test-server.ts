import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { RequestFault } from '../../../src/adapters/node-http/request-faults.ts';
import type { HttpLimits } from '../../../src/adapters/node-http/http-connections.ts';
import { type HandOut, type HttpServer, serveHttp } from '../../../src/adapters/node-http/serve-http.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

const statusOf = { validation_failed: 400, payload_too_large: 413 };

export const problem = ({ code, sentence }: RequestFault) => ({
  status: statusOf[code],
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Made-By': 'problem' },
  body: JSON.stringify({ error: { code, message: sentence } }),
});

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

export interface TestServer extends HttpServer {
  /** The requests that came to the listener. */
  readonly seen: () => number;
  readonly answered: () => number;
  /** From the last connection. */
  readonly bytesRead: () => number;
  /** The last connection. */
  readonly isCut: () => boolean;
  readonly said: () => string[];
  /** Lets `/slow` answer. */
  readonly release: () => void;
  /** It still serves others. */
  readonly expectAlive: () => Promise<void>;
}

/** More than lies between two ends of a connection. */
const longAnswer = Buffer.alloc(64 * 1_024 * 1_024, 'long ');

/** `/slow` answers when released, `/refused` 401 and `/long` much at once, everything else 200 once its body is there. */
export async function startTestServer(limits: Partial<HttpLimits> = {}, handOut?: HandOut): Promise<TestServer> {
  let seen = 0;
  let answered = 0;
  const log = createKeptLog();
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let lastSocket: IncomingMessage['socket'] | undefined;
  const server = await serveHttp({
    port: 0,
    host: '127.0.0.1',
    log,
    problem,
    limits,
    handOut,
    listener: (request, response) => {
      seen += 1;
      lastSocket = request.socket;
      response.once('finish', () => {
        answered += 1;
      });
      if (request.url === '/refused') {
        response.writeHead(401).end('who are you?');
        return;
      }
      if (request.url === '/long') {
        response.end(longAnswer);
        return;
      }
      const answer = request.url === '/slow' ? released : bodyOf(request);
      answer.then(
        (text) => response.end(`got ${text ?? 'nothing'}`),
        () => response.end('the request was cut off'),
      );
    },
  });
  return {
    ...server,
    seen: () => seen,
    answered: () => answered,
    said: () => log.lines.map(({ sentence }) => sentence),
    isCut: () => lastSocket?.destroyed === true,
    bytesRead: () => lastSocket?.bytesRead ?? 0,
    release,
    expectAlive: async () => {
      const response = await fetch(server.url, { method: 'POST', body: 'alive' });
      expect(await response.text()).toBe('got alive');
    },
  };
}

export function expectProblem(answer: string, fault: RequestFault): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${statusOf[fault.code]} `));
  expect(answer).toContain('X-Made-By: problem');
  expect(answer).toContain('Connection: close');
  expect(answer.endsWith(`\r\n\r\n${problem(fault).body}`), answer).toBe(true);
}

/** The status lines in what came. */
export const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
