import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandinReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Of a question for a completion, or for embeddings. */
export interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly input: readonly string[];
}

/** Null leaves the request without an answer. */
type Reply = StandinReply | ((asked: Asked) => StandinReply) | null;

export interface OpenAiStandin {
  readonly url: string;
  readonly asked: readonly Asked[];
  readonly headersOf: (index: number) => IncomingHttpHeaders;
  /** Each answers one request, in turn; the last one every further one. */
  readonly replyWith: (...replies: Reply[]) => void;
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

const json = { 'content-type': 'application/json' };

/** A vector for each text that was asked for, made of the text, in any order. */
export const embeddings =
  (vectorOf: (text: string) => readonly unknown[]) =>
  ({ input, model }: Asked): StandinReply => ({
    status: 200,
    headers: json,
    body: JSON.stringify({
      object: 'list',
      model,
      data: input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse(),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  });

export const failing = (status: number, headers: Readonly<Record<string, string>> = {}): StandinReply => ({
  status,
  headers,
  body: JSON.stringify({ error: { message: 'no', type: 'server_error' } }),
});

/** Speaks the chat completions and embeddings of OpenAI's interface, on loopback, with faults to order. */
export async function startOpenAiStandin({ apiKey }: { readonly apiKey: string }): Promise<OpenAiStandin> {
  const asked: Asked[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let replies: Reply[] = [failing(500)];

  const usual = (authorization: string | undefined, method = '', path = ''): StandinReply | undefined => {
    if (method !== 'POST' || !/^\/v1\/(chat\/completions|embeddings)$/.test(path)) return failing(404);
    return authorization === `Bearer ${apiKey}` ? undefined : failing(401);
  };

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      headers.push(request.headers);
      const question = JSON.parse(body) as Asked;
      asked.push(question);
      const refused = usual(request.headers.authorization, request.method, request.url);
      const reply = refused ?? (replies.length > 1 ? replies.shift()! : replies[0]!);
      const { status, headers: own, body: text } = typeof reply === 'function' ? reply(question) : (reply ?? {});
      if (status !== undefined) response.writeHead(status, own).end(text);
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
