import { describe, expect, it } from 'vitest';
import { eventually } from '../../spec/eventually.ts';
import { failure, ok, useClient } from './use-client.ts';

const { send, receivers, holdingReceiver } = useClient();

describe('no answer in time', () => {
  const timeoutMs = 200;

  it('when nothing is said at all', async () => {
    const { url, openCount } = await receivers.raw(() => undefined);
    await expect(send(url, { timeoutMs })).rejects.toEqual(failure('timeout'));
    await eventually('the connection is closed', () => openCount() === 0);
  });

  it.each([
    ['the head', 'HTTP/1.1 200 OK\r\nX-Slow: '],
    ['the body', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n'],
    ['the chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n384\r\n'],
  ])('when %s comes in drops', async (_, start) => {
    const { url, openCount } = await receivers.raw((socket) => {
      socket.write(start);
      const drip = setInterval(() => socket.write('a'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    await expect(send(url, { timeoutMs })).rejects.toEqual(failure('timeout'));
    await eventually('the connection is closed', () => openCount() === 0);
  });

  it('when the handshake hangs', async () => {
    const { port } = await receivers.raw(() => undefined);
    await expect(send(`https://127.0.0.1:${port}/`, { timeoutMs })).rejects.toEqual(failure('timeout'));
  });
});

describe('no answer', () => {
  it('when no connection is free in time; the request is never sent', async () => {
    const { url, held } = await holdingReceiver();
    const taken = Promise.all(Array.from({ length: 256 }, () => send(url)));
    await eventually('256 are under way', () => held.length === 256);
    await expect(send(url, { timeoutMs: 200 })).rejects.toEqual(failure('network'));
    for (const { answer } of held) answer();
    await taken;
    const next = send(url);
    await eventually('the next one is under way', () => held.length > 256);
    held[256]?.answer();
    expect((await next).status).toBe(200);
    expect(held.length).toBe(257);
  });

  it('from a name that there is not', async () => {
    await expect(send('http://receiver.invalid/')).rejects.toEqual(failure('dns'));
  });

  it('from a port where nobody listens', async () => {
    const port = await receivers.closedPort();
    await expect(send(`http://127.0.0.1:${port}/`)).rejects.toEqual(failure('network'));
    await expect(send(`http://receiver.invalid:${port}/`, { connectTo: ['127.0.0.1', '127.0.0.2'] })).rejects.toEqual(
      failure('network'),
    );
  });

  it.each([
    ['nothing', ''],
    ['nonsense', 'NONSENSE\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['half the chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhalf\r\n'],
    ['too large a head', `HTTP/1.1 200 OK\r\nX-Large: ${'a'.repeat(70_000)}\r\n\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])('but %s, and no second attempt', async (_, answer) => {
    const { url, sockets } = await receivers.raw((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    await expect(send(url, { method: 'POST', body: 'a' })).rejects.toEqual(failure('network'));
    await expect(send(url)).rejects.toEqual(failure('network'));
    expect(sockets.length).toBe(2);
  });

  it('but a reset', async () => {
    const { url } = await receivers.raw((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    await expect(send(url)).rejects.toEqual(failure('network'));
  });

  it('from a certificate that nobody signed; the name was said', async () => {
    const names: string[] = [];
    const { port } = await receivers.https(ok, { onName: (name) => names.push(name) });
    const request = send(`https://receiver.invalid:${port}/`, { connectTo: ['127.0.0.1'] });
    await expect(request).rejects.toEqual(failure('tls'));
    expect(names).toEqual(['receiver.invalid']);
  });

  it('from a server that speaks no TLS', async () => {
    const { port } = await receivers.http(ok);
    await expect(send(`https://127.0.0.1:${port}/`)).rejects.toEqual(failure('tls'));
  });

  it('tells what was wrong', async () => {
    const { url } = await receivers.https(ok);
    const cause = expect.objectContaining({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }) as Error;
    await expect(send(url)).rejects.toMatchObject({ message: 'no HTTP answer: tls', cause });
  });
});
