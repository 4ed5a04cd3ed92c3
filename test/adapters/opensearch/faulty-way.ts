import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fault = 'nothing' | 'vectors' | 'everything' | 'refused vectors' | 'new indexes';

export interface HeldBulk {
  readonly reached: Promise<void>;
  readonly letGo: () => void;
}

interface Gate extends HeldBulk {
  readonly reach: () => void;
  readonly opened: Promise<void>;
}

const newGate = (): Gate => {
  let reach = () => {};
  let letGo = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { reached, opened, reach: () => reach(), letGo: () => letGo() };
};

/** A way to a real server that answers some lists of a search as an overloaded node does, or refuses them. */
export interface FaultyWay {
  readonly url: string;
  readonly fail: (what: Fault) => void;
  /** Keeps the next bulk of documents until it is let go; `reached` when it is there. */
  readonly holdBulk: () => HeldBulk;
  /** Sends the lists of the next search one by one, and does this before the last of them. */
  readonly betweenLists: (work: () => Promise<void>) => void;
  /** What was answered to searches, since the last look. */
  readonly takeFound: () => string[];
  /** The queries of each search by lists, since the last look. */
  readonly takeAsked: () => string[][];
  readonly close: () => Promise<void>;
}

const overloaded = {
  status: 429,
  error: { type: 'circuit_breaking_exception', reason: 'Data too large', root_cause: [] },
};

/** As one whose k-NN plugin takes a query not that it took before. */
const refused = {
  status: 400,
  error: { type: 'illegal_argument_exception', reason: 'k-NN is disabled here', root_cause: [] },
};

/** As one whose disks are full: it makes no index, and does not look first whether there is one. */
const blocked = {
  status: 403,
  error: { type: 'index_create_block_exception', reason: 'blocked by: cluster create-index blocked (api)' },
};

const makesIndex = (method: string, url: string): boolean => method === 'PUT' && /^\/[^/?]+$/.test(url);

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};

/** Each stands behind a line that says where to look. */
const queriesOf = (asked: Buffer): string[] =>
  asked
    .toString()
    .trimEnd()
    .split('\n')
    .filter((_, line) => line % 2 === 1);

const withFaults = (asked: Buffer, answer: string, fault: Fault): string => {
  const lists = queriesOf(asked);
  const found = JSON.parse(answer) as { responses: unknown[] };
  const isFailing = (at: number) => fault === 'everything' || (/vectors$/.test(fault) && lists[at]!.includes('"knn"'));
  const failure = fault === 'refused vectors' ? refused : overloaded;
  return JSON.stringify({ ...found, responses: found.responses.map((one, at) => (isFailing(at) ? failure : one)) });
};

const searchOneByOne = async (url: URL, asked: Buffer, beforeLast: () => Promise<void>): Promise<unknown[]> => {
  const lines = asked.toString().trimEnd().split('\n');
  const responses: unknown[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    if (at === lines.length - 2) await beforeLast();
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await fetch(url, { method: 'POST', headers, body: `${lines[at]}\n${lines[at + 1]}\n` });
    responses.push(...((await answer.json()) as { responses: unknown[] }).responses);
  }
  return responses;
};

export async function startFaultyWay(
  target: string,
  { bodyBytesMax = Number.POSITIVE_INFINITY }: { readonly bodyBytesMax?: number } = {},
): Promise<FaultyWay> {
  let fault: Fault = 'nothing';
  let gate: Gate | null = null;
  let between: (() => Promise<void>) | null = null;
  let found: string[] = [];
  let asked: string[][] = [];
  const passGate = async (): Promise<void> => {
    const held = gate;
    gate = null;
    held?.reach();
    await held?.opened;
  };
  const answerOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request;
    const body = await bodyOf(request);
    if (url.startsWith('/_bulk') && body.length > bodyBytesMax) {
      response.writeHead(413).end();
      return;
    }
    if (fault === 'new indexes' && makesIndex(method, url)) {
      response.writeHead(blocked.status, { 'content-type': 'application/json' }).end(JSON.stringify(blocked));
      return;
    }
    if (url.startsWith('/_bulk')) await passGate();
    if (url.startsWith('/_msearch')) asked.push(queriesOf(body));
    if (url.startsWith('/_msearch') && between !== null) {
      const work = between;
      between = null;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ responses: await searchOneByOne(new URL(url, target), body, work) }));
      return;
    }
    const answer = await fetch(new URL(url, target), {
      method,
      headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    if (/_m?search$/.test(new URL(url, target).pathname)) found.push(text);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(url.startsWith('/_msearch') ? withFaults(body, text, fault) : text);
  };
  const server = createServer((request, response) => {
    answerOne(request, response).catch(() => response.destroy()); // as a server that went away
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (what) => {
      fault = what;
    },
    holdBulk: () => {
      const held = newGate();
      gate = held;
      return held;
    },
    betweenLists: (work) => {
      between = work;
    },
    takeFound: () => {
      const taken = found;
      found = [];
      return taken;
    },
    takeAsked: () => {
      const taken = asked;
      asked = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
