import { createShortTurns } from '../../concurrency/short-turns.ts';
import type { BatchCommand, CommandRequest } from '../../kernel/command.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Appended, EventStore, StreamAppend, VersionConflict } from '../../ports/event-store.ts';
import type { Random } from '../../ports/random.ts';
import type { Snapshots } from '../../records/snapshots.ts';
import { type AbsenceHint, unreadStreams } from './absence-hint.ts';
import { appendTurns } from './append-turns.ts';
import { highestPosition } from './command-times.ts';
import { type DecidedStream, decideStream, type StreamWork } from './decide-stream.ts';
import { loadFacts } from './load-facts.ts';
import { absentStream, type LoadedStream } from './loaded-stream.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { createStreamLoader } from './stream-loader.ts';
import { writeTexts } from './write-texts.ts';

export interface BatchResult<Result> {
  /** In the order of the items. */
  readonly results: readonly Result[];
  readonly position: number;
}

export interface BatchRunner {
  readonly run: <Input, Item, State, E extends DomainEvent, Facts extends object, ItemFacts extends object, Result>(
    command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
    input: unknown,
    request: CommandRequest,
  ) => Promise<BatchResult<Result>>;
  /** What it would answer now, in the order of the items. Nothing is stored. */
  readonly preview: <Input, Item, State, E extends DomainEvent, Facts extends object, ItemFacts extends object, Result>(
    command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
    input: unknown,
    request: CommandRequest,
  ) => Promise<readonly Result[]>;
}

export interface BatchRunnerDeps {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Whole streams are read without them. */
  readonly snapshots?: Snapshots | undefined;
  /** Saves reading what is not there; without it every stream is read. */
  readonly hint?: AbsenceHint | undefined;
}

function groupByStream<Item>(
  items: readonly { readonly stream: string; readonly item: Item }[],
): readonly StreamWork<Item>[] {
  const works = new Map<string, StreamWork<Item>>();
  items.forEach(({ stream, item }, index) => {
    const work = works.get(stream) ?? { stream, items: [] };
    work.items.push({ index, item });
    works.set(stream, work);
  });
  return [...works.values()];
}

/** Appends the nth piece of each stream at once; answers the last position of each stream that had not moved. */
async function appendPieces<Stream extends { readonly appends: readonly StreamAppend[] }>(
  { appendMany }: Pick<EventStore, 'appendMany'>,
  decided: readonly Stream[],
): Promise<ReadonlyMap<Stream, number>> {
  const positions = new Map(decided.map((stream) => [stream, 0]));
  for (let piece = 0; ; piece += 1) {
    const open = [...positions.keys()].filter((stream) => stream.appends[piece] !== undefined);
    if (open.length === 0) return positions;
    const outcomes: (Appended | VersionConflict)[] = [];
    for (const appends of appendTurns(open.map((stream) => stream.appends[piece]!))) {
      outcomes.push(...(await appendMany(appends)));
    }
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.outcome === 'conflict') positions.delete(open[index]!);
      else positions.set(open[index]!, outcome.position);
    }
  }
}

/**
 * Runs one command over many streams. Each stream is stored on its own: when some fail for good, the others stay
 * stored, the caller is told to try again, and the repeat answers as if all had been stored at once.
 */
export function createBatchRunner(deps: BatchRunnerDeps): BatchRunner {
  const { store, clock } = deps;
  const streams = createStreamLoader(deps);

  async function run<Input, Item, State, E extends DomainEvent, Facts extends object, ItemFacts extends object, Result>(
    command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
    unparsed: unknown,
    request: CommandRequest,
  ): Promise<BatchResult<Result>> {
    const { model } = command;
    const input = parseInput(command.input, unparsed);
    const { facts, loaded: factStreams } = await loadFacts<Facts>(streams, (known) => command.facts(input, known));
    const results: Result[] = [];
    let position = highestPosition(factStreams);
    let waiting = groupByStream(command.items(input, facts));
    let hint = deps.hint;
    const mayGoOn = createShortTurns(clock); // to decide on hundreds of long texts takes a while

    const loadAll = (works: readonly StreamWork<Item>[]) =>
      streams.loadAll(
        works.map(({ stream }) => ({ stream, model })),
        request.commandId,
      );
    const decide = (work: StreamWork<Item>, loaded: LoadedStream<State>) =>
      decideStream(command, { work, loaded }, { streams, nowMs: clock.nowMs(), request, facts, factStreams });

    await retryConflicts(deps, async () => {
      const unread = await unreadStreams(hint, waiting);
      hint = undefined; // whoever comes here again was given a wrong one
      const read = await loadAll(waiting.filter(({ stream }) => !unread.has(stream)));
      const loaded = new Map(read.map((each) => [each.stream, each]));
      const decided: DecidedStream<Item, State, Result>[] = [];
      const moved: StreamWork<Item>[] = [];
      for (const work of waiting) {
        await mayGoOn();
        const known = loaded.get(work.stream);
        let stream = await decide(work, known ?? absentStream(model, work.stream));
        // A text is stored before the event that names it, and must not be stored for a release that was erased. And where
        // nothing is to be stored, nothing would tell that the hint was wrong.
        const isUnproven = stream.bodies.length > 0 || stream.appends.length === 0;
        if (known === undefined && isUnproven) stream = await decide(work, (await loadAll([work]))[0]!);
        const texts = { owner: work.stream, version: stream.loaded.version, bodies: stream.bodies };
        if (await writeTexts(store, texts, request, stream.recordedAt)) decided.push(stream);
        else moved.push(work);
      }
      position = Math.max(position, highestPosition(decided.map((stream) => stream.loaded)));
      const positions = await appendPieces(store, decided);
      for (const [stream, appendedAt] of positions) {
        for (const { index, result } of stream.results) results[index] = result;
        const events = stream.appends.flatMap((append) => append.events);
        if (events.length > 0) streams.stored(model, stream.loaded, { events, position: appendedAt });
        position = Math.max(position, appendedAt);
      }
      waiting = [...moved, ...decided.filter((stream) => !positions.has(stream)).map(({ work }) => work)];
      return waiting.length === 0 ? 'done' : 'again';
    });
    return { results, position };
  }

  async function preview<
    Input,
    Item,
    State,
    E extends DomainEvent,
    Facts extends object,
    ItemFacts extends object,
    Result,
  >(
    command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
    unparsed: unknown,
    request: CommandRequest,
  ): Promise<readonly Result[]> {
    const { model } = command;
    const input = parseInput(command.input, unparsed);
    const { facts, loaded: factStreams } = await loadFacts<Facts>(streams, (known) => command.facts(input, known));
    const works = groupByStream(command.items(input, facts));
    const loaded = await streams.loadAll(works.map(({ stream }) => ({ stream, model })));
    const results: Result[] = [];
    const mayGoOn = createShortTurns(clock);
    for (const [at, work] of works.entries()) {
      await mayGoOn();
      const context = { streams, nowMs: clock.nowMs(), request, facts, factStreams };
      const decided = await decideStream(command, { work, loaded: loaded[at]! }, context);
      for (const { index, result } of decided.results) results[index] = result;
    }
    return results;
  }

  return { run, preview };
}
