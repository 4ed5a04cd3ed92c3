import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Registry } from '../../src/compose/registry.ts';
import { createHttpApp } from '../../src/compose/http-app.ts';
import { newEntityId } from '../../src/kernel/ids.ts';
import type { Document } from '../../src/kernel/projection.ts';
import type { Log } from '../../src/ports/log.ts';
import { signingKeysDeclaration } from '../../src/records/secrets/signing-keys.ts';
import {
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../spec/http/http-service.ts';
import { serveApp } from '../spec/http/serve-app.ts';
import { createWebhookWorld, hookUrl, testResolver } from '../spec/worlds/webhook-world.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  await createWebhookWorld(service);
});
afterAll(() => service.close());

const hook = { url: hookUrl, orgSlug: 'acme' };
const storedKeys = async () => {
  const keys = await service.registry.ops.collection<Document>(signingKeysDeclaration);
  return (await keys.scan('', 1_000)).map(({ doc }) => doc);
};
const spellings = (signingKey: string): Buffer[] => {
  const bytes = Buffer.from(signingKey, 'hex');
  return [bytes, ...(['hex', 'base64', 'base64url'] as const).map((spelling) => Buffer.from(bytes.toString(spelling)))];
};

/** The same registry behind another server, with a part of it replaced. */
const serveWith = async (replaced: Partial<Registry>) => {
  const app = await createHttpApp(
    { ...service.registry, ...replaced },
    {
      rootApiKey,
      secretKey: new Uint8Array(32).fill(7),
      webBaseUrl,
      trustedOrigins: [],
      lookups: noLookups,
      rateLimits: wideLimits,
      resolver: testResolver,
    },
  );
  return serveApp(app);
};
const createAt = (url: string, key: string) =>
  fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rootApiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(hook),
  });

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

describe('the signing key', () => {
  it('is in no event and readable in no file', async () => {
    const { body } = await service.post('/v1/webhooks', hook, { headers: { 'idempotency-key': 'kept-sealed' } });
    const { events } = await service.registry.eventStore.read(`webhook-${body.id}`);
    expect(events.map(({ type }) => type)).toEqual(['WebhookCreated.v1']);
    const kept = [
      ...filesBelow(service.dataDir).map((file) => readFileSync(file)),
      Buffer.from(JSON.stringify(events)),
    ];
    expect((await storedKeys()).map(({ id }) => id)).toContain(body.id);
    for (const spelling of spellings(body.signingKey)) {
      expect(kept.filter((bytes) => bytes.includes(spelling))).toEqual([]);
    }
  });

  it('comes again, to the byte, with the same Idempotency-Key, and otherwise another one does', async () => {
    const headers = { 'idempotency-key': 'one-subscription' };
    const first = await service.post('/v1/webhooks', hook, { headers });
    const again = await service.post('/v1/webhooks', hook, { headers });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-service-position')).toBe(first.headers.get('x-service-position'));
    const another = await service.post('/v1/webhooks', hook);
    expect(another.body.id).not.toBe(first.body.id);
    expect(another.body.signingKey).not.toBe(first.body.signingKey);
  });

  it('is made before the subscription, stays the same when that fails, and is never logged', async () => {
    const before = new Set((await storedKeys()).map(({ id }) => id));
    const logged: unknown[] = [];
    const say = (...parts: unknown[]) => void logged.push(parts);
    const log: Log = { info: say, warn: say, error: say };
    const commandIds: string[] = [];
    const broken = await serveWith({
      log,
      commands: {
        run: async (_command, input, { commandId }) => {
          commandIds.push(commandId);
          throw new Error(`the disk is full: ${JSON.stringify(input)}`);
        },
      },
    });
    expect((await createAt(broken.url, 'breaks-off')).status).toBe(500);
    await broken.close();
    expect(logged.length).toBeGreaterThan(0);
    const made = (await storedKeys()).filter(({ id }) => !before.has(id));
    expect(made.map(({ id }) => id)).toEqual(commandIds.map((commandId) => newEntityId('whk', commandId)));

    const working = await serveWith({ log });
    const answer = await createAt(working.url, 'breaks-off');
    const body = (await answer.json()) as { id: string; signingKey: string };
    await working.close();
    expect([answer.status, body.id]).toEqual([201, made[0]?.id]);
    expect((await storedKeys()).filter(({ id }) => !before.has(id))).toEqual(made);
    const text = Buffer.from(inspect(logged, { depth: null, maxStringLength: null }));
    for (const spelling of spellings(body.signingKey)) expect(text.includes(spelling)).toBe(false);
  });

  it('is not made for a subscription that is refused', async () => {
    const before = await storedKeys();
    for (const fields of [{ orgSlug: 'nobody' }, { url: 'http://a.example' }, { url: 'https://nowhere.example.com' }]) {
      expect((await service.post('/v1/webhooks', { ...hook, ...fields })).status).toBeGreaterThanOrEqual(400);
    }
    expect(await storedKeys()).toEqual(before);
  });

  it('goes with the subscription, also when the deletion broke off before', async () => {
    const { id } = (await service.post('/v1/webhooks', hook)).body;
    const held = async () => (await storedKeys()).some((doc) => doc.id === id);
    const [key] = (await storedKeys()).filter((doc) => doc.id === id);
    expect((await service.remove(`/v1/webhooks/${id}`)).status).toBe(204);
    expect(await held()).toBe(false);
    await service.registry.ops.transact([{ kind: 'put', collection: signingKeysDeclaration.name, doc: key! }]);
    expect((await service.remove(`/v1/webhooks/${id}`)).status).toBe(404);
    expect(await held()).toBe(false);
  });
});
