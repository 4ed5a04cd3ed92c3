import { setTimeout as sleep } from 'node:timers/promises';
import { secondsSince } from './bench-folder.ts';
import { cpuSeconds } from './cpu-time.ts';
import { rootHeaders, type ServedRegistry } from './served-registry.ts';

export const writesPerSecond = 50;

interface Writing {
  /** Answers how many were written. */
  readonly end: () => Promise<number>;
}

/** Releases come in, while somebody reads or nobody. */
function beginWrites({ url }: ServedRegistry, sourceId: string): Writing {
  let isOver = false;
  let written = 0;
  const begunMs = performance.now();
  const write = async (): Promise<void> => {
    while (!isOver) {
      const version = `9.${Date.now()}.${(written += 1)}`;
      const body = JSON.stringify({ releases: [{ title: version, version }] });
      const address = `${url}/v1/sources/${sourceId}/releases/batch`;
      const response = await fetch(address, { method: 'POST', headers: rootHeaders, body });
      if (!response.ok) throw new Error(`a write was answered with ${response.status}`);
      await response.arrayBuffer();
      await sleep(Math.max(0, (written / writesPerSecond) * 1_000 - secondsSince(begunMs) * 1_000));
    }
  };
  const writing = write();
  return {
    end: async () => {
      isOver = true;
      await writing;
      return written;
    },
  };
}

/** CPU of the server while releases come in, and what happens beside them; without anything else, of the writes alone. */
export async function besideWrites(
  served: ServedRegistry,
  sourceId: string,
  work: () => Promise<unknown>,
): Promise<{ readonly micros: number; readonly writes: number }> {
  const before = cpuSeconds(served.pid);
  const writing = beginWrites(served, sourceId);
  await work();
  const writes = await writing.end();
  return { micros: (cpuSeconds(served.pid) - before) * 1_000_000, writes };
}
