import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { connectOpenSearch, type OpenSearchConnection } from '../../../src/adapters/opensearch/connection.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { eventually } from '../../spec/eventually.ts';

const slowPath = '/slow';

/** Answers, or holds whatever comes, and counts it by its path. What is slow is never answered. */
async function startServer() {
  const asked = new Map<string, number>();
  let held: ServerResponse[] | null = null;
  const answer = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"well":true}');
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    request.resume();
    if (path === slowPath) return;
    if (held === null) answer(response);
    else held.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    askedFor: (path: string) => asked.get(path) ?? 0,
    freeze: () => {
      held = [];
    },
    thaw: () => {
      const waiting = held ?? [];
      held = null;
      for (const response of waiting) answer(response);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('an OpenSearch that hangs', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let connection: OpenSearchConnection;

  const ask = (path: string, timeoutMs = 50) => connection.ask({ what: 'answer', method: 'GET', path, timeoutMs });
  const open = async (): Promise<void> => {
    server = await startServer();
    connection = connectOpenSearch([server.url]);
  };
  afterEach(async () => {
    await connection.close();
    await server.close();
  });

  it('is asked once; from then on whoever asks is refused without asking it', async () => {
    await open();
    server.freeze();
    await expect(ask('/first')).rejects.toThrow(BackendUnavailable);
    for (let number = 0; number < 100; number += 1) {
      await expect(ask('/second')).rejects.toThrow(BackendUnavailable);
    }
    expect([server.askedFor('/first'), server.askedFor('/second')]).toEqual([1, 0]);
  });

  it('is used again as soon as a probe is answered', async () => {
    await open();
    server.freeze();
    await expect(ask('/first')).rejects.toThrow(BackendUnavailable);
    server.thaw();
    const isBack = () =>
      ask('/second', 60_000).then(
        () => true,
        () => false,
      );
    await eventually('it answers', isBack);
    expect((await ask('/second', 60_000)).body).toEqual({ well: true });
  });

  it('is not given up for one slow answer, nor for a refusal', async () => {
    await open();
    await expect(ask(slowPath)).rejects.toThrow(BackendUnavailable);
    await eventually('it answers', () =>
      ask('/second', 60_000).then(
        () => true,
        () => false,
      ),
    );
  });

  it('is not waited for by those who had asked before, however long they would', async () => {
    await open();
    server.freeze();
    const outcome = ask('/long', 20_000).then(
      () => 'answered',
      (error: unknown) => error,
    );
    await expect(ask('/first')).rejects.toThrow(BackendUnavailable);
    const error = await outcome;
    expect(error).toBeInstanceOf(BackendUnavailable);
    expect(inspect(error, { depth: 10 })).toContain('within 50 ms'); // not because its own time was over
  });
});
