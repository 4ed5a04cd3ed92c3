import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { HttpFailure, HttpResponse } from '../../../src/ports/http-client.ts';
import { builtModule } from '../../spec/built/built-path.ts';
import { eventually } from '../../spec/eventually.ts';
import { selfSignedFile } from './receivers.ts';
import { failure, ok, useClient } from './use-client.ts';

const { send, receivers, holdingReceiver, close } = useClient();

const textOf = ({ body }: HttpResponse): string => Buffer.from(body).toString();

describe('an answer', () => {
  it('comes with status, body and headers in lower case', async () => {
    const { url } = await receivers.http((_, response) => {
      response.writeHead(503, { 'Retry-After': '120', 'X-Many': ['a', 'b'] }).end('später');
    });
    const answer = await send(url);
    expect(answer).toMatchObject({ status: 503, truncated: false });
    expect(answer.headers).toMatchObject({ 'retry-after': '120', 'x-many': 'a, b' });
    expect(textOf(answer)).toBe('später');
  });

  it('is the last one, after interim ones', async () => {
    const { url } = await receivers.http((_, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => response.writeHead(201).end());
    });
    const { status, headers, body } = await send(url);
    expect({ status, link: headers['link'], body }).toEqual({ status: 201, link: undefined, body: new Uint8Array() });
  });

  it('to HEAD has no body', async () => {
    const { url } = await receivers.http((_, response) => response.writeHead(200, { 'Content-Length': '5000' }).end());
    expect(await send(url, { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: new Uint8Array(),
      truncated: false,
    });
  });

  it('may send us elsewhere: we do not go', async () => {
    const elsewhere = await receivers.http(ok);
    const { url, sockets } = await receivers.http((_, response) => {
      response.writeHead(307, { Location: elsewhere.url }).end();
    });
    const { status, headers } = await send(url, { method: 'POST', body: 'a' });
    expect({ status, location: headers['location'] }).toEqual({ status: 307, location: elsewhere.url });
    expect([sockets.length, elsewhere.sockets.length]).toEqual([1, 0]);
  });

  it.each([
    [999, 'a'.repeat(999), false],
    [1_000, 'a'.repeat(1_000), false],
    [1_001, 'a'.repeat(1_000), true],
    [500_000, 'a'.repeat(1_000), true],
  ])('of %d bytes is read up to the limit', async (length, read, truncated) => {
    const { url } = await receivers.http((_, response) => void response.end('a'.repeat(length)));
    const answer = await send(url);
    expect([textOf(answer), answer.truncated]).toEqual([read, truncated]);
  });

  it('that never ends is read up to the limit, and cut off', async () => {
    const { url, openCount } = await receivers.http((_, response) => {
      const write = (): void => void (response.destroyed || response.write('a'.repeat(10_000), write));
      write();
    });
    const answer = await send(url);
    expect([answer.status, answer.body.length, answer.truncated]).toEqual([200, 1_000, true]);
    await eventually('the connection is closed', () => openCount() === 0);
  });
});

describe('a request', () => {
  it('is sent as it is, with the length of its body', async () => {
    const seen: unknown[] = [];
    const { url } = await receivers.http((request, response) => {
      const { 'content-length': length, 'transfer-encoding': coding, 'x-a': ours } = request.headers;
      void text(request).then((body) => {
        seen.push([request.method, request.url, length, coding, ours, body]);
        response.end();
      });
    });
    await send(`${url}a%20b?c=d#e`, { method: 'POST', headers: { 'X-A': 'a' }, body: 'für' });
    await send(url, { method: 'POST', body: '' });
    expect(seen).toEqual([
      ['POST', '/a%20b?c=d', '4', undefined, 'a', 'für'],
      ['POST', '/', '0', undefined, undefined, ''],
    ]);
  });

  it('that cannot be sent is a mistake of the caller', async () => {
    const { url, sockets } = await receivers.http(ok);
    await expect(send('nonsense')).rejects.toThrow(TypeError);
    await expect(send('ftp://receiver.invalid/')).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
    await expect(send(url, { headers: { a: 'b\r\nc: d' } })).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
    expect(sockets.length).toBe(0);
  });

  it('goes over the connection of the one before', async () => {
    const { url, sockets } = await receivers.http(ok);
    for (let count = 0; count < 5; count += 1) await send(url);
    expect(sockets.length).toBe(1);
  });

  it('waits for a connection where 256 are taken, which is all that the deliverer sends at once', async () => {
    const { url, sockets, held } = await holdingReceiver();
    const answers = Promise.all(Array.from({ length: 260 }, () => send(url)));
    await eventually('256 are under way', () => held.length === 256);
    for (const { answer } of held) answer();
    await eventually('the rest follows', () => held.length === 260);
    for (const { answer } of held.slice(256)) answer();
    expect((await answers).map(({ status }) => status)).toEqual(Array(260).fill(200));
    expect(sockets.length).toBe(256);
  });

  it('is finished although its origin is not among the last 1,024', async () => {
    const { port, sockets, held } = await holdingReceiver();
    const sendTo = (name: string) => send(`http://${name}.invalid:${port}/`, { connectTo: ['127.0.0.1'] });
    const first = sendTo('first');
    await eventually('it is under way', () => held.length === 1);
    const others = Promise.all(Array.from({ length: 1_024 }, (_, number) => sendTo(`other-${number}`)));
    await eventually('the others are under way', () => held.length === 1_025);
    for (const { answer } of held) answer();
    expect((await first).status).toBe(200);
    expect(new Set((await others).map(({ status }) => status))).toEqual(new Set([200]));
    await eventually('its connection is not kept', () => sockets[0]?.destroyed === true);
    expect(held[0]?.host).toBe(`first.invalid:${port}`);
  });
});

describe('a checked address', () => {
  it('is where the connection goes; the name is still said', async () => {
    const hosts: unknown[] = [];
    const { port } = await receivers.http((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const { status } = await send(`http://receiver.invalid:${port}/`, { connectTo: ['127.0.0.1'] });
    expect([status, hosts]).toEqual([200, [`receiver.invalid:${port}`]]);
  });

  it('holds for the one request, not for those before it', async () => {
    const { port, sockets } = await receivers.http(ok);
    for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.1']) {
      await send(`http://receiver.invalid:${port}/`, { connectTo: [address] });
    }
    const addresses = sockets.map(({ localAddress }) => localAddress?.replace('::ffff:', ''));
    expect(addresses).toEqual(['127.0.0.1', '127.0.0.2']);
  });

  it('may be one of several, in any order, of which not all answer', async () => {
    const { port, sockets } = await receivers.http(ok);
    for (const connectTo of [
      ['255.255.255.255', '127.0.0.1'],
      ['127.0.0.1', '255.255.255.255'],
    ]) {
      expect((await send(`http://receiver.invalid:${port}/`, { connectTo })).status).toBe(200);
    }
    expect(sockets.length).toBe(1);
  });

  it('is needed: none is no permission', async () => {
    const { port, sockets } = await receivers.http(ok);
    await expect(send(`http://localhost:${port}/`, { connectTo: [] })).rejects.toEqual(failure('dns'));
    expect(sockets.length).toBe(0);
  });

  it('is what an address in the URL must be', async () => {
    const { port, url, sockets } = await receivers.http(ok);
    expect((await send(url, { connectTo: ['127.0.0.1'] })).status).toBe(200);
    await expect(send(url, { connectTo: ['127.0.0.2'] })).rejects.toThrow('none of the checked addresses');
    await expect(send(`http://[::1]:${port}/`, { connectTo: ['127.0.0.1'] })).rejects.toThrow('::1 is none');
    expect(sockets.length).toBe(1);
  });
});

it('a certificate is checked against the name, no proxy is asked, and nothing outlives the client', async () => {
  const { port } = await receivers.https(ok);
  const plain = await receivers.http(ok);
  const hanging = await receivers.raw(() => undefined);
  const proxy = `http://127.0.0.1:${await receivers.closedPort()}`;
  const path = builtModule(new URL('./http-client-child.ts', import.meta.url));
  const urls = [
    `https://receiver.invalid:${port}/`,
    `https://other.invalid:${port}/`,
    `http://receiver.invalid:${plain.port}/`,
    `https://receiver.invalid:${hanging.port}/`,
  ];
  const child = spawn(process.execPath, [path, ...urls], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: selfSignedFile, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[exitCode], lines] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  expect([exitCode, lines]).toEqual([0, '200\ntls\n200\ntimeout\n']);
});

describe('closing', () => {
  it('ends what is under way, what waits, and every connection', async () => {
    const { url, held, openCount } = await holdingReceiver();
    const sent = Promise.allSettled(Array.from({ length: 257 }, () => send(url)));
    await eventually('256 are under way', () => held.length === 256);
    await close();
    const reasons = (await sent).map((result) => result.status === 'rejected' && (result.reason as HttpFailure).reason);
    expect(reasons).toEqual(Array(257).fill('network'));
    await eventually('the connections are closed', () => openCount() === 0);
  });

  it('ends idle connections, and takes no request afterwards', async () => {
    const { url, openCount } = await receivers.http(ok);
    await send(url);
    expect(openCount()).toBe(1);
    await close();
    await close();
    await eventually('the connection is closed', () => openCount() === 0);
    await expect(send(url)).rejects.toEqual(failure('network'));
  });
});
