import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedId } from '../../src/kernel/ids.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import { eraseRelease } from '../../src/use-cases/erase-release.ts';
import { unlinkCoverage } from '../../src/use-cases/unlink-coverage.ts';
import { openInThreadEventStore } from '../spec/in-thread-event-store.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { type CoverageWorld, openCoverageWorld } from '../spec/worlds/coverage-world.ts';
import { requestOf } from '../spec/worlds/embedded-registry.ts';

const folder = createTempFolder();
const clock = { nowMs: () => Date.UTC(2026, 1, 1), sleep: async () => {} };
const linkedAtOnce = 50;
const linkCount = 450;
let store: EventStore;
let largestAppend = 0;
let diesAfter = Number.POSITIVE_INFINITY;
let world: CoverageWorld;

beforeAll(() => {
  const embedded = openInThreadEventStore(folder.path);
  store = {
    ...embedded,
    append: async (append) => {
      const released = append.events.filter(({ type }) => type === 'CoverageReleased.v1').length;
      largestAppend = Math.max(largestAppend, released);
      if (released > 0 && (diesAfter -= 1) < 0) throw new Error('killed');
      return embedded.append(append);
    },
  };
  world = openCoverageWorld(store, clock);
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

const addCovered = async (name: string): Promise<{ canonical: string; covering: string[] }> => {
  const canonical = derivedId('rel', name);
  const covering = Array.from({ length: linkCount }, (_, index) => derivedId('rel', name, String(index)));
  for (const id of [canonical, ...covering]) await world.addRelease(id);
  for (let from = 0; from < linkCount; from += linkedAtOnce) {
    await world.link(world.writer(), canonical, ...covering.slice(from, from + linkedAtOnce));
  }
  return { canonical, covering };
};
const claimsOn = async (id: string) => (await world.stateOf(id))?.coverage.claims.length;

describe('a release that very many cover', () => {
  it('is unlinked in pieces, and a repeat goes on where a killed one ended', async () => {
    const { canonical, covering } = await addCovered('many');
    expect(await claimsOn(canonical)).toBe(linkCount);
    const request = requestOf(900_001);
    diesAfter = 1;
    await expect(unlinkCoverage(world.writer(), canonical, request)).rejects.toThrow('killed');
    diesAfter = Number.POSITIVE_INFINITY;
    expect(await claimsOn(canonical)).toBe(linkCount - 200);
    // What the killed one had settled and not released is answered as it was then.
    expect(await unlinkCoverage(world.writer(), canonical, request)).toMatchObject({ unlinked: 250 });
    expect(await claimsOn(canonical)).toBe(0);
    expect(await world.canonicalOf(covering.at(-1)!)).toBeNull();
    expect(largestAppend).toBe(200);
  });

  it('is erased as any other', async () => {
    const { canonical, covering } = await addCovered('erased');
    await eraseRelease(world.writer(), canonical, requestOf(900_002));
    expect(await world.canonicalOf(covering[0]!)).toBeNull();
    expect((await store.read(`release-${canonical}`)).events.at(-1)?.type).toBe('ReleaseErased.v1');
  });
});
