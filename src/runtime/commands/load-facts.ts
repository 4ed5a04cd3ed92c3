import type { FactRequest, FactRequests } from '../../kernel/command.ts';
import type { LoadedStream } from './loaded-stream.ts';
import type { StreamLoader } from './stream-loader.ts';

export interface LoadedFacts<Facts> {
  readonly facts: Facts;
  /** What was read, for its times and positions. */
  readonly loaded: readonly LoadedStream<unknown>[];
}

/** Asks for facts until nothing new is asked for: a source names its org, which is the next fact. */
export async function loadFacts<Facts extends object>(
  streams: Pick<StreamLoader, 'loadAll'>,
  ask: (known: Partial<Facts>) => FactRequests<Facts>,
): Promise<LoadedFacts<Facts>> {
  const known: Partial<Facts> = {};
  const loaded: LoadedStream<unknown>[] = [];
  for (;;) {
    const requests = ask(known);
    const missing = (Object.keys(requests) as (keyof Facts)[]).filter((name) => !(name in known));
    if (missing.length === 0) return { facts: known as Facts, loaded };
    const read = await streams.loadAll(missing.map((name): FactRequest => requests[name]!));
    loaded.push(...read);
    missing.forEach((name, index) => {
      known[name] = read[index]!.state as Facts[keyof Facts];
    });
  }
}
