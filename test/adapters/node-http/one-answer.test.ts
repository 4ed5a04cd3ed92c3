import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../spec/eventually.ts';
import { connectRaw, type RawClient } from './raw-client.ts';
import { expectProblem, startTestServer, statusesOf, type TestServer } from './test-server.ts';

let server: TestServer;

const impatient = { headersTimeoutMs: 100, requestTimeoutMs: 100 };

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  server.release();
  await server.close();
});

const answered = (client: RawClient, count = 1) =>
  eventually('the answers', () => statusesOf(client.received()).length === count);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const chunked = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
const sized = (path: string, bytes: number) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;
const garbage = {
  code: 'validation_failed',
  sentence: 'The request is not well-formed HTTP: Invalid method encountered.',
} as const;

describe('a request whose answer is sent before its body has arrived', () => {
  it.each([
    ['garbage', chunked('/refused'), 'zz\r\n'],
    ['another request', sized('/refused', 5), `12345${get('/')}`],
  ])('gets no second answer to %s behind it, and nothing of that is done', async (_, head, rest) => {
    const client = connectRaw(server.port);
    client.send(head);
    await answered(client);
    client.send(rest);
    const received = await client.closed;
    expect(statusesOf(received)).toEqual([401]);
    expect(received).toContain('Connection: close');
    expect(server.seen()).toBe(1);
  });

  it('gets no second answer when its body drips', async () => {
    await server.close();
    server = await startTestServer(impatient);
    const client = connectRaw(server.port);
    client.send(sized('/refused', 1_000));
    const drip = setInterval(() => client.send('.'), 20);
    const received = await client.closed;
    clearInterval(drip);
    expect(statusesOf(received)).toEqual([401]);
  });

  it('is not read any further', async () => {
    const client = connectRaw(server.port, { hangsUp: false });
    client.send(sized('/refused', 64 * 1024 * 1024));
    await answered(client);
    for (let piece = 0; piece < 64; piece += 1) client.send('.'.repeat(1024 * 1024));
    client.socket.end();
    expect(statusesOf(await client.closed)).toEqual([401]);
    expect(server.bytesRead()).toBeLessThanOrEqual(80 * 1024); // the head, and one read
  });

  it('keeps its answer for a client that looks for it later', async () => {
    const client = connectRaw(server.port, { hangsUp: false });
    client.socket.pause();
    client.send(sized('/refused', 1024 * 1024));
    await eventually('it is answered', () => server.answered() === 1);
    for (let piece = 0; piece < 10; piece += 1) {
      await new Promise((resolve) => client.socket.write('.'.repeat(1024), resolve));
    }
    client.socket.resume();
    await answered(client);
    client.socket.destroy();
  });
});

describe('a request that breaks off before it is answered', () => {
  const badChunk = 'The request is not well-formed HTTP: Invalid character in chunk size.';
  it.each([
    ['with garbage', {}, chunked('/slow'), 'zz\r\n', badChunk],
    ['by taking too long', impatient, sized('/slow', 5), '1', 'The request took too long to arrive.'],
  ])('%s gets one answer, that of the server', async (_, limits, head, rest, sentence) => {
    await server.close();
    server = await startTestServer(limits);
    const client = connectRaw(server.port);
    client.send(head);
    await eventually('the listener has it', () => server.seen() === 1);
    client.send(rest);
    await answered(client);
    server.release();
    expectProblem(await client.closed, { code: 'validation_failed', sentence });
  });
});

describe('requests behind each other', () => {
  it('are answered in order on one connection', async () => {
    const client = connectRaw(server.port);
    client.send(`${get('/slow')}${sized('/', 3)}abc${get('/refused')}${get('/')}`);
    await eventually('all are in hand', () => server.seen() === 4);
    server.release();
    await answered(client, 4);
    expect(statusesOf(client.received())).toEqual([200, 200, 401, 200]);
    client.socket.destroy();
  });

  it('get their answers before garbage behind them is refused', async () => {
    const client = connectRaw(server.port);
    client.send(`${get('/slow')}${sized('/', 3)}abcGARBAGE\r\n\r\n`);
    await eventually('both are in hand', () => server.seen() === 2);
    server.release();
    const received = await client.closed;
    expect(statusesOf(received)).toEqual([200, 200, 400]);
    expectProblem(received.slice(received.lastIndexOf('HTTP/1.1 400')), garbage);
  });

  it('are not done when they come behind one that is refused for its form', async () => {
    const client = connectRaw(server.port);
    client.send(`GET / HTTP/1.1\r\n\r\n${get('/')}`);
    expect(statusesOf(await client.closed)).toEqual([400]);
    expect(server.seen()).toBe(0);
  });

  it('are refused when the connection has been used before', async () => {
    const client = connectRaw(server.port);
    client.send(get('/'));
    await answered(client);
    const first = client.received();
    client.send('GARBAGE\r\n\r\n');
    expectProblem((await client.closed).slice(first.length), garbage);
  });

  it('are forgotten with their connection', async () => {
    await server.close();
    server = await startTestServer({ closeTimeoutMs: 2_000 });
    const client = connectRaw(server.port);
    client.send(`${get('/slow')}${get('/slow')}`);
    await eventually('both are in hand', () => server.seen() === 2);
    const silent = connectRaw(server.port);
    const closing = server.close();
    client.socket.destroy();
    await Promise.all([closing, silent.closed]);
    expect(server.said()).toEqual([]); // nobody was waited for and cut off
  });
});
