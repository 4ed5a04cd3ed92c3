import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { builtModule } from '../../spec/built/built-path.ts';
import { authorityFile, createReceivers, hooksFile } from './receivers.ts';

const receivers = createReceivers();

afterEach(() => receivers.closeAll());

/** In a process that trusts the authority of the tests, which only the environment can say. */
const attemptsAt = async (...urls: string[]): Promise<unknown[]> => {
  const path = builtModule(new URL('./guarded-delivery-child.ts', import.meta.url));
  const child = spawn(process.execPath, [path, ...urls], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[exitCode], lines] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  expect(exitCode).toBe(0);
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
};

it('a delivery goes to the addresses that the guard has checked, and only to who proves to have the name', async () => {
  const names: string[] = [];
  const requests: unknown[] = [];
  const { port, sockets } = await receivers.https(
    ({ method, url, headers }, response) => {
      requests.push([method, url, headers.host]);
      response.end('ok');
    },
    { onName: (name) => names.push(name), pemFile: hooksFile },
  );

  expect(
    await attemptsAt(
      `https://hooks.example.com:${port}/hook`,
      `https://other.example.com:${port}/hook`,
      `https://inside.example.com:${port}/hook`,
    ),
  ).toEqual([
    {
      result: { kind: 'answer', status: 200, retryAfter: null, body: 'ok' },
      dialled: ['93.184.216.34', '2606:2800:220:1::1'],
    },
    { result: { kind: 'failure', reason: 'tls' }, dialled: ['93.184.216.34'] },
    { result: { kind: 'blocked' }, dialled: [] },
  ]);
  expect(names).toEqual(['hooks.example.com', 'other.example.com']);
  expect(requests).toEqual([['POST', '/hook', `hooks.example.com:${port}`]]);
  expect(sockets.length).toBe(2);
});
