import type { BatchCommand, CommandRequest } from '../../kernel/command.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore, StreamAppend } from '../../ports/event-store.ts';
import type { Random } from '../../ports/random.ts';
import { highestPosition } from './command-times.ts';
import { type AnyBatchCommand, type DecidedStream, decideStream, type StreamWork } from './decide-stream.ts';
import { loadFacts } from './load-facts.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { writeTexts } from './write-texts.ts';

export interface BatchResult<Result> {
  /** In the order of the items. */
  readonly results: readonly Result[];
  readonly position: number;
}

export interface BatchRunner {
  readonly run: <Input, Item, State, E extends DomainEvent, Facts extends object, ItemFacts, Result>(
    command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
    input: unknown,
    request: CommandRequest,
  ) => Promise<BatchResult<Result>>;
}

function groupByStream(items: readonly { readonly stream: string; readonly item: unknown }[]): StreamWork[] {
  const works = new Map<string, StreamWork>();
  items.forEach(({ stream, item }, index) => {
    const work = works.get(stream) ?? { stream, items: [] };
    work.items.push({ index, item });
    works.set(stream, work);
  });
  return [...works.values()];
}

/**
 * Runs one command over many streams. Each stream is stored on its own: when some fail for good, the others stay
 * stored, the caller is told to try again, and the repeat answers as if all had been stored at once.
 */
export function createBatchRunner(deps: {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly random: Random;
}): BatchRunner {
  const { store, clock } = deps;

  async function runAny(
    command: AnyBatchCommand,
    unparsed: unknown,
    request: CommandRequest,
  ): Promise<BatchResult<unknown>> {
    const input = parseInput(command.input, unparsed);
    const { facts, slices: factSlices } = await loadFacts<object>(store, (known) => command.facts(input, known));
    const results: unknown[] = [];
    let position = highestPosition(factSlices);
    let waiting = groupByStream(command.items(input, facts));

    /** Appends the nth piece of each stream at once; answers the streams whose version had moved. */
    const appendPieces = async (decided: readonly DecidedStream[]): Promise<Set<DecidedStream>> => {
      const lost = new Set<DecidedStream>();
      for (let piece = 0; ; piece += 1) {
        const open = decided.filter((stream) => stream.appends[piece] !== undefined && !lost.has(stream));
        if (open.length === 0) return lost;
        const outcomes = await store.appendMany(open.map((stream) => stream.appends[piece] as StreamAppend));
        outcomes.forEach((outcome, index) => {
          if (outcome.outcome === 'conflict') lost.add(open[index]!);
          else position = Math.max(position, outcome.position);
        });
      }
    };

    await retryConflicts(deps, async () => {
      const slices = await store.readMany(waiting.map((work) => work.stream));
      position = Math.max(position, highestPosition(slices));
      const decideDeps = { store, nowMs: clock.nowMs(), request, facts, factSlices };
      const decided: DecidedStream[] = [];
      for (const [index, work] of waiting.entries()) {
        const stream = await decideStream(command, work, slices[index]!, decideDeps);
        await writeTexts(store, stream.bodies, request, stream.recordedAt);
        decided.push(stream);
      }
      const lost = await appendPieces(decided);
      for (const stream of decided) {
        if (!lost.has(stream)) for (const { index, result } of stream.results) results[index] = result;
      }
      waiting = [...lost].map((stream) => stream.work);
      return waiting.length === 0 ? 'done' : 'again';
    });
    return { results, position };
  }

  return { run: runAny as unknown as BatchRunner['run'] };
}
