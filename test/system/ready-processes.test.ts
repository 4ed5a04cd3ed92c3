import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { type ServedRegistry, serveRegistry, stopRegistry } from '../spec/processes/registry-process.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const settings = { ROOT_API_KEY: 'a-root-key-for-this-test-only' };
const headers = { authorization: `Bearer ${settings.ROOT_API_KEY}`, 'content-type': 'application/json' };

let folder: TempFolder;
let running: ServedRegistry[];

beforeEach(() => {
  folder = createTempFolder();
  running = [];
});
afterEach(() => {
  for (const { child } of running) child.kill('SIGKILL');
  folder.remove();
});

const serve = async (roles: string): Promise<ServedRegistry> => {
  const served = await serveRegistry(folder.path, ['--no-demo', '--roles', roles], settings);
  running.push(served);
  return served;
};

const send = async ({ url }: ServedRegistry, method: string, path: string, body: object): Promise<{ id: string }> => {
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.ok, `${method} ${path}`).toBe(true);
  return (await response.json()) as { id: string };
};

const look = async ({ url }: ServedRegistry, path: string) => {
  const response = await fetch(`${url}${path}`);
  return { cache: response.headers.get('x-cache'), text: await response.text() };
};

const createSource = async (served: ServedRegistry, name: string): Promise<string> =>
  (await send(served, 'POST', '/v1/sources', { name, url: `https://${name}.example/changelog` })).id;

const release = (served: ServedRegistry, sourceId: string, version: string) =>
  send(served, 'POST', `/v1/sources/${sourceId}/releases/batch`, { releases: [{ title: version, version }] });

describe('answers that are kept ready', () => {
  it('show what another process projects, long before their time is over', async () => {
    const projecting = await serve('http,projector');
    const reading = await serve('http');
    const sourceId = await createSource(projecting, 'one');
    const path = `/v1/sources/${sourceId}/releases`;
    for (let turn = 0; turn < 6; turn += 1) {
      await eventually('it is kept', async () => (await look(reading, path)).cache === 'HIT');
      await release(projecting, sourceId, `1.${turn}.0`);
      await eventually('it is seen', async () => (await look(reading, path)).text.includes(`"1.${turn}.0"`), {
        withinMs: 10_000,
      });
    }
    await stopRegistry(reading);
    await stopRegistry(projecting);
  });

  it('stay where another process projects what they are not made of', async () => {
    const projecting = await serve('http,projector');
    const reading = await serve('http');
    const [one, other] = [await createSource(projecting, 'one'), await createSource(projecting, 'other')];
    const [kept, changing] = [one, other].map((id) => `/v1/sources/${id}/releases`) as [string, string];
    await release(projecting, one, '1.0.0');
    await eventually('it is kept', async () => {
      const { cache, text } = await look(reading, kept);
      return cache === 'HIT' && text.includes('"1.0.0"');
    });
    for (let turn = 0; turn < 3; turn += 1) {
      await release(projecting, other, `2.${turn}.0`);
      await eventually('the other is seen', async () => (await look(reading, changing)).text.includes(`"2.${turn}.0"`));
      expect((await look(reading, kept)).cache).toBe('HIT');
      // Also where this process has waited for its own write.
      await release(reading, other, `3.${turn}.0`);
      expect((await look(reading, changing)).text).toContain(`"3.${turn}.0"`);
      expect((await look(reading, kept)).cache).toBe('HIT');
    }
    await stopRegistry(reading);
    await stopRegistry(projecting);
  });

  it('show what the former projector has written to whoever takes over from it', async () => {
    const former = await serve('http,projector');
    const standingBy = await serve('http,projector');
    const [one, other] = [await createSource(former, 'one'), await createSource(former, 'other')];
    const path = `/v1/sources/${one}/releases`;
    await eventually('it is kept', async () => (await look(standingBy, path)).cache === 'HIT');
    await release(former, one, '1.0.0');
    await stopRegistry(former);
    // Its own first write is about something else, and brings it past all that the other one wrote.
    await release(standingBy, other, '2.0.0');
    expect((await look(standingBy, path)).text).toContain('"1.0.0"');
    await stopRegistry(standingBy);
  });
});
