import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/compose/http-server.ts';
import { createKeptLog } from '../spec/kept-log.ts';

let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer({ port: 0, host: '127.0.0.1', trustedOrigins: [], log: createKeptLog() });
});
afterAll(() => server.close());

const ask = async (path: string) => {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
};

describe('a server that has nothing to serve yet', () => {
  it.each(['/health', '/health/ready', '/health/ready?now'])('says at %s what it waits for', async (path) => {
    const { status, body } = await ask(path);
    const details = { checks: { process: 'ok', start: 'fail' }, unreachable: [] };
    expect([status, body.error]).toMatchObject([503, { code: 'service_unavailable', details }]);
  });

  it('says at any other address only that it is not available', async () => {
    const { status, body } = await ask('/v1/orgs');
    expect([status, body.error.code, body.error.details]).toEqual([503, 'service_unavailable', undefined]);
  });

  it('is alive', async () => {
    for (const path of ['/health/live', '/health/live?now']) expect((await ask(path)).status).toBe(200);
  });
});
