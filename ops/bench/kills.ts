import { setTimeout as sleep } from 'node:timers/promises';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { StartedChild } from './worlds/bench-child.ts';
import type { Figure } from './bench-report.ts';
import { type DeliveryMix, deliveryMixes } from './worlds/delivery-mixes.ts';
import { percentile } from './worlds/percentile.ts';
import { type Receivers, withReceivers } from './worlds/receivers.ts';
import { type Chance, createChance } from './worlds/seeded-data.ts';
import { buildRegistry, post, startServed } from './worlds/served-registry.ts';

const roles = ['http', 'projector', 'relay', 'deliverer', 'fetcher'] as const;
type Role = (typeof roles)[number];

const mixNames = ['embedded', 'MongoDB, Kafka'];
const kills = 10;
/** Enough for every partition to have some. */
const subscriptions = 20;
const answerAfterMs = 20;
/** 200 deliveries a second: the deliverers write all the while. */
const releasesPerTurn = 2;
const turnMs = 200;
/** Until a process that was started again has its share of the work. */
const settleMs = 6_000;
const standstillSecondsMax = 240;
const pollMs = 200;

interface Served extends StartedChild {
  readonly url: string;
}

/** Releases that come one after the other, from whoever answers; what a dying process left open is sent no second time. */
function startPublishing(urls: () => readonly string[], sourceId: string) {
  const stop = new AbortController();
  let number = 0;
  const publish = async (url: string): Promise<void> => {
    const releases = Array.from({ length: releasesPerTurn }, () => {
      number += 1;
      return { title: `Release ${number}`, version: `${number}.0.0`, content: `- added thing ${number}` };
    });
    await post({ url }, `/v1/sources/${sourceId}/releases/batch`, { releases });
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const startedMs = performance.now();
      const [url] = urls();
      await publish(url!).catch(() => undefined); // a process that dies and read models that stand still refuse some
      await sleep(Math.max(0, turnMs - (performance.now() - startedMs)));
    }
  };
  const done = run();
  return async () => {
    stop.abort();
    await done;
  };
}

/** Seconds after the kill at which each webhook got something that was recorded after it, in their order. */
async function standstills(receivers: Receivers, killedMs: number): Promise<number[]> {
  const startedMs = performance.now();
  for (;;) {
    const first = new Map<number, number>();
    for (const { receiver, recordedMs, arrivedMs } of await receivers.arrivals()) {
      if (recordedMs > killedMs && !first.has(receiver)) first.set(receiver, (arrivedMs - killedMs) / 1_000);
    }
    if (first.size === subscriptions) return [...first.values()].sort((a, b) => a - b);
    if (secondsSince(startedMs) > standstillSecondsMax) {
      throw new Error(`${first.size} of ${subscriptions} webhooks got something in ${standstillSecondsMax} s`);
    }
    await sleep(pollMs);
  }
}

async function createAudience(url: string, receivers: Receivers): Promise<string> {
  const { id: orgId } = await post({ url }, '/v1/orgs', { name: 'Audience' });
  const source = { orgId, name: 'Audience', url: 'https://example.com/audience' };
  const { id: sourceId } = await post({ url }, '/v1/sources', source);
  for (const target of receivers.urls) await post({ url }, '/v1/webhooks', { url: target, orgId });
  return String(sourceId);
}

interface KillsOptions {
  readonly role: Role;
  readonly start: (roles: readonly string[]) => Promise<Served>;
  readonly receivers: Receivers;
  readonly chance: Chance;
}

/** Kills whoever of two has had the role for longer, ten times, and starts it again; one process does all the rest. */
async function killInTurn({ role, start, receivers, chance }: KillsOptions): Promise<number[][]> {
  // Together: none is ready without the others.
  const others = roles.filter((other) => other !== role);
  const [rest, ...pair] = await Promise.all([start(others), start([role]), start([role])]);
  const hosts = () => (role === 'http' ? pair.slice(1) : [rest]).map(({ url }) => url);
  const stopPublishing = startPublishing(hosts, await createAudience(hosts()[0]!, receivers));
  const measured: number[][] = [];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(settleMs + chance.int(0, 1_000));
      await receivers.clear();
      await pair[0]!.kill();
      measured.push(await standstills(receivers, Date.now()));
      pair.push(await start([role]));
      pair.shift();
    }
    return measured;
  } finally {
    await stopPublishing();
    for (const served of [...pair, rest]) await served.end();
  }
}

const figuresOf = ({ name, standstillSecondsMax: atMost }: DeliveryMix, role: Role, measured: number[][]): Figure[] => {
  const [next, all] = [0, -1].map((place) => measured.map((each) => each.at(place)!).sort((a, b) => a - b));
  const metric = `${name}: kill of a ${role} to the next delivery`;
  return [
    { metric: `${metric}, median of ${kills}`, value: percentile(next!, 0.5), unit: 's' },
    { metric: `${metric}, longest`, value: next!.at(-1)!, unit: 's', atMost },
    { metric: `${metric} of every webhook, longest`, value: all!.at(-1)!, unit: 's', atMost },
  ];
};

const measure = (mix: DeliveryMix, role: Role): Promise<Figure[]> =>
  inBenchFolder((dataDir) =>
    mix.use((settings) =>
      withReceivers({ count: subscriptions, answerAfterMs }, async (receivers) => {
        const start = (own: readonly string[]) =>
          startServed(dataDir, { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'on', ...settings, ROLES: own.join(',') });
        return figuresOf(mix, role, await killInTurn({ role, start, receivers, chance: createChance(1) }));
      }),
    ),
  );

/** How long deliveries stand still when a process is killed, and another of its role is there. */
export async function runKills({ role: only }: { readonly role: string | undefined }): Promise<Figure[]> {
  const chosen = roles.filter((role) => only === undefined || role === only);
  if (chosen.length === 0) throw new Error(`--role takes one of ${roles.join(', ')}.`);
  await inBenchFolder(buildRegistry);
  const figures: Figure[] = [];
  for (const mix of deliveryMixes().filter(({ name }) => mixNames.includes(name))) {
    for (const role of chosen) figures.push(...(await measure(mix, role)));
  }
  return figures;
}
