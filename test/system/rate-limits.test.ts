import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { type ServedRegistry, serveRegistry } from '../spec/processes/registry-process.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { openTestBackends, type ServerName, type TestBackends } from '../spec/servers/test-backends.ts';

const limit = 60;

let backends: TestBackends;
let running: ServedRegistry[];

beforeEach(() => {
  running = [];
});
afterEach(async () => {
  for (const { child, exited } of running) {
    child.kill('SIGKILL');
    await exited;
  }
  await backends.close();
});

async function start(settings: Readonly<Record<string, string>> = {}): Promise<ServedRegistry> {
  const own = { ...backends.environment, RATE_LIMIT_ANONYMOUS: String(limit), TRUST_PROXY: '127.0.0.1', ...settings };
  const served = await serveRegistry(backends.settings.dataDir, ['--no-demo'], own);
  running.push(served);
  return served;
}

/** What an address is told by a process. */
async function ask({ url }: ServedRegistry, address: string): Promise<{ status: number; left: number }> {
  const { status, headers } = await fetch(`${url}/v1`, { headers: { 'x-forwarded-for': address } });
  return { status, left: Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]) };
}

async function askMany(process: ServedRegistry, address: string, many: number): Promise<void> {
  for (let turn = 0; turn < many; turn += 1) expect((await ask(process, address)).status).toBe(200);
}

/** A process asks what others counted after a pause, and while it counts something itself. Answers how often it was asked for that. */
async function untilTold(process: ServedRegistry, address: string, leftMax: number): Promise<number> {
  let asked = 0;
  await eventually(
    'the other process has heard of it',
    async () => {
      asked += 1;
      return (await ask(process, address)).left <= leftMax - asked;
    },
    { everyMs: 300, withinMs: 10_000 },
  );
  return asked;
}

function suite(name: string, servers: readonly ServerName[]): void {
  describe(`two processes, ${name}`, () => {
    beforeEach(async () => {
      backends = await openTestBackends(servers);
    });

    it('count together, each request once, and forget nothing when one of them begins anew', async () => {
      const one = await start();
      const two = await start({ ROLES: 'http' });
      await askMany(one, '203.0.113.1', 20);
      const askedOfTwo = await untilTold(two, '203.0.113.1', limit - 20);
      await untilTold(one, '203.0.113.1', limit - 20 - askedOfTwo);
      // What was told is told no more: the number only falls by what is asked here.
      const { left } = await ask(one, '203.0.113.1');
      await untilTold(two, '203.0.113.2', limit);
      await untilTold(one, '203.0.113.2', limit - 1);
      expect((await ask(one, '203.0.113.1')).left).toBe(left - 1);

      await eventually('one refuses', async () => (await ask(one, '203.0.113.1')).status === 429);
      await eventually('the other refuses too', async () => (await ask(two, '203.0.113.1')).status === 429);
      expect((await ask(two, '203.0.113.3')).status).toBe(200);

      one.child.kill('SIGKILL');
      await one.exited;
      const anew = await start();
      await eventually('it knows what was counted', async () => (await ask(anew, '203.0.113.1')).status === 429);
    });
  });
}

suite('on one data folder', []);
const hasMongo = realServer('mongodb') !== null;
describe.skipIf(!hasMongo)('with servers', () => suite('on one MongoDB', ['eventstoredb', 'mongodb']));
