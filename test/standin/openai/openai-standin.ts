import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandinReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AskedCompletion {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface OpenAiStandin {
  readonly url: string;
  readonly asked: readonly AskedCompletion[];
  readonly headersOf: (index: number) => IncomingHttpHeaders;
  /** Each answers one request, in turn; the last one every further one. Null leaves it without an answer. */
  readonly replyWith: (...replies: (StandinReply | null)[]) => void;
  readonly close: () => Promise<void>;
}

/** A completion whose message is that text. */
export const completion = (content: string | null, more: object = {}, finish = 'stop'): StandinReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, ...more } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
});

export const failing = (status: number, headers: Readonly<Record<string, string>> = {}): StandinReply => ({
  status,
  headers,
  body: JSON.stringify({ error: { message: 'no', type: 'server_error' } }),
});

/** Speaks the chat completions of OpenAI's interface, on loopback, with faults to order. */
export async function startOpenAiStandin({ apiKey }: { readonly apiKey: string }): Promise<OpenAiStandin> {
  const asked: AskedCompletion[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let replies: (StandinReply | null)[] = [failing(500)];

  const usual = (authorization: string | undefined, method = '', path = ''): StandinReply | undefined => {
    if (method !== 'POST' || path !== '/v1/chat/completions') return failing(404);
    return authorization === `Bearer ${apiKey}` ? undefined : failing(401);
  };

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      headers.push(request.headers);
      asked.push(JSON.parse(body) as AskedCompletion);
      const refused = usual(request.headers.authorization, request.method, request.url);
      const reply = refused ?? (replies.length > 1 ? replies.shift()! : replies[0]!);
      if (reply !== null) response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  server.keepAliveTimeout = 0; // an idle connection that is closed at the wrong moment would be one more failure
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    headersOf: (index) => headers[index]!,
    replyWith: (...wanted) => {
      replies = wanted;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
