import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpApp } from '../../src/compose/http-app.ts';
import { eventually } from '../spec/eventually.ts';
import { gatedEventStore } from '../spec/gated-event-store.ts';
import {
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../spec/http/http-service.ts';
import { serveApp } from '../spec/http/serve-app.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { mortalSteps } from '../spec/mortal-steps.ts';
import { createTestRunners } from '../spec/worlds/embedded-registry.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

/** Asks a process that dies on its way for a token; answers how many steps it came. */
async function askMortal(dieAt: number, name: string): Promise<number> {
  const { registry } = service;
  const { step, gatedOps, count } = mortalSteps(dieAt);
  const { commands } = createTestRunners(gatedEventStore(registry.eventStore, step), systemClock);
  const app = await createHttpApp(
    { ...registry, ops: gatedOps(registry.ops), commands, log: createKeptLog() },
    {
      rootApiKey,
      secretKey: new Uint8Array(32).fill(7),
      webBaseUrl,
      trustedOrigins: [],
      lookups: noLookups,
      rateLimits: wideLimits,
    },
  );
  const mortal = await serveApp(app);
  const headers = {
    authorization: `Bearer ${rootApiKey}`,
    'content-type': 'application/json',
    'idempotency-key': name,
  };
  const asked = await fetch(`${mortal.url}/v1/tokens`, { method: 'POST', headers, body: JSON.stringify(bodyOf(name)) });
  await asked.arrayBuffer();
  await mortal.close();
  expect(asked.status === 201).toBe(dieAt > count());
  return count();
}

const bodyOf = (name: string) => ({ name, scopes: ['write'] });

/** The answer to a repeat, once the dead process counts as dead. */
async function repeat(name: string) {
  let answer = await service.post('/v1/tokens', bodyOf(name), { headers: { 'idempotency-key': name } });
  await eventually('the key is free', async () => {
    if (answer.status !== 409) return true;
    answer = await service.post('/v1/tokens', bodyOf(name), { headers: { 'idempotency-key': name } });
    return false;
  });
  return answer;
}

describe('a token that is asked for again after its process was killed', () => {
  it('is the same one, wherever the kill came', async () => {
    const steps = await askMortal(Number.POSITIVE_INFINITY, 'not-killed');
    expect(steps).toBeGreaterThanOrEqual(8);
    const names = Array.from({ length: steps }, (_, index) => `killed-at-step-${index + 1}`);
    await Promise.all(
      names.map(async (name, index) => {
        await askMortal(index + 1, name);
        const { status, body, text } = await repeat(name);
        expect(status, text).toBe(201);
        expect((await repeat(name)).text).toBe(text);
        expect((await service.get('/v1/tokens/me', { key: body.token })).body).toMatchObject({ tokenId: body.id });
      }),
    );
    const { tokens } = (await service.get('/v1/tokens', { key: rootApiKey })).body as {
      tokens: { name: string }[];
    };
    expect(tokens.map(({ name }) => name).sort()).toEqual([...names, 'not-killed'].sort());
  });
});
