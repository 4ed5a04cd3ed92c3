import { setTimeout as sleep } from 'node:timers/promises';
import { secondsSince } from './bench-folder.ts';
import { cpuSeconds } from './cpu-time.ts';
import { rootHeaders, type ServedRegistry } from './served-registry.ts';

export const writesPerSecond = 50;

/** Enough that each is sent when its time has come, though it takes long until those before are answered. */
export const enoughWriters = 8;

interface Writing {
  /** Answers how many were written. */
  readonly end: () => Promise<number>;
}

export interface WritesBeside {
  readonly sourceId: string;
  /** How many may wait for their answers at once. */
  readonly writers: number;
}

/** Releases come in, while somebody reads or nobody. */
function beginWrites({ url }: ServedRegistry, { sourceId, writers }: WritesBeside): Writing {
  let isOver = false;
  let begun = 0;
  let written = 0;
  const begunMs = performance.now();
  const write = async (): Promise<void> => {
    while (!isOver) {
      const number = begun++;
      await sleep(Math.max(0, (number / writesPerSecond - secondsSince(begunMs)) * 1_000));
      if (isOver) return;
      const version = `9.${Date.now()}.${number}`;
      const body = JSON.stringify({ releases: [{ title: version, version }] });
      const address = `${url}/v1/sources/${sourceId}/releases/batch`;
      const response = await fetch(address, { method: 'POST', headers: rootHeaders, body });
      if (!response.ok) throw new Error(`a write was answered with ${response.status}`);
      await response.arrayBuffer();
      written += 1;
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, write));
  return {
    end: async () => {
      isOver = true;
      await writing;
      return written;
    },
  };
}

interface MeasuredWrites {
  readonly micros: number;
  readonly writes: number;
  readonly seconds: number;
}

/** CPU of the server while releases come in, and what happens beside them; without anything else, of the writes alone. */
export async function besideWrites(
  served: ServedRegistry,
  beside: WritesBeside,
  work: () => Promise<unknown>,
): Promise<MeasuredWrites> {
  const before = cpuSeconds(served.pid);
  const startedMs = performance.now();
  const writing = beginWrites(served, beside);
  await work();
  const writes = await writing.end();
  const micros = (cpuSeconds(served.pid) - before) * 1_000_000;
  return { micros, writes, seconds: secondsSince(startedMs) };
}
