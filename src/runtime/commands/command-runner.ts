import type { NameOwner } from '../../domain/name/name-owners.ts';
import type { Command, CommandRequest, Decision, NewId } from '../../kernel/command.ts';
import type { DomainEvent, RecordedEvent } from '../../kernel/event.ts';
import { newEntityId } from '../../kernel/ids.ts';
import { foldEvents, type Model } from '../../kernel/model.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import { parseStream } from '../../kernel/stream-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Random } from '../../ports/random.ts';
import type { Snapshots } from '../../records/snapshots.ts';
import { decisionTime, highestPosition } from './command-times.ts';
import { loadFacts } from './load-facts.ts';
import type { LoadedStream } from './loaded-stream.ts';
import { newEvents } from './new-events.ts';
import { createNameClaims, type NamePlan } from './name-claims.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { createStreamLoader } from './stream-loader.ts';
import { createStreamQueue } from '../../concurrency/stream-queue.ts';
import { writeTexts } from './write-texts.ts';

export interface CommandResult<State> {
  /** The id of the stream that was decided on: of a create, the new entity's. */
  readonly id: string;
  /** After this command; of a repeat, as it was then. */
  readonly state: State;
  readonly events: readonly DomainEvent[];
  /** Highest position appended; when nothing was, the highest that was read. */
  readonly position: number;
  readonly repeated: boolean;
}

export interface CommandRunner {
  readonly run: <Input, State, E extends DomainEvent, Facts extends object>(
    command: Command<Input, State, E, Facts>,
    input: unknown,
    request: CommandRequest,
  ) => Promise<CommandResult<State>>;
}

export interface CommandRunnerDeps {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly nameOwners: Readonly<Record<string, NameOwner>>;
  /** Whole streams are read without them. */
  readonly snapshots?: Snapshots | undefined;
}

const noPlan: NamePlan = { names: [], values: {}, superseded: [] };

/** One command on its way, with the stream that it decides on. */
interface Attempt<Input, State, E extends DomainEvent, Facts extends object> {
  readonly command: Command<Input, State, E, Facts>;
  readonly input: Input;
  readonly stream: string;
  /** The stream is of the entity that the command creates. */
  readonly isNew: boolean;
  readonly request: CommandRequest;
}

/** What the first run of this command answered, from the stream itself; null when there was none. */
function answerAgain<State, E extends DomainEvent>(
  model: Model<State, E>,
  { stream, events, start }: LoadedStream<State>,
  commandId: string,
): CommandResult<State> | null {
  // A claim that it gave back before it ended is nothing that it did.
  const isOwn = ({ type, metadata }: RecordedEvent) => metadata.commandId === commandId && type !== 'ClaimForfeited.v1';
  const last = events.findLastIndex(isOwn);
  if (last < 0) return null;
  return {
    id: parseStream(stream).id,
    state: foldEvents(model, events.slice(0, last + 1), start.state),
    events: events.filter(isOwn),
    position: events[last]!.position,
    repeated: true,
  };
}

/** Parses, loads, decides, claims, appends. A crash at any await and a repeat of the command give one result. */
export function createCommandRunner(deps: CommandRunnerDeps): CommandRunner {
  const { store, clock, nameOwners } = deps;
  const streams = createStreamLoader(deps);
  const nameClaims = createNameClaims({ store, streams, nameOwners });
  const queue = createStreamQueue();

  async function attempt<Input, State, E extends DomainEvent, Facts extends object>({
    command,
    input,
    stream,
    isNew,
    request,
  }: Attempt<Input, State, E, Facts>): Promise<CommandResult<State> | 'again' | 'abandoned'> {
    const { model } = command;
    const { commandId } = request;
    const loaded = await streams.load({ stream, model }, commandId);
    if (isNew && loaded.mark.isAbandoned) return 'abandoned';
    const answered = answerAgain(model, loaded, commandId);
    if (answered) return answered;

    const { id } = parseStream(stream);
    const { state } = loaded;
    const known = await loadFacts<Facts>(streams, (found) => command.facts?.(input, state, found) ?? {});
    const { facts } = known;
    const now = decisionTime(clock.nowMs(), [loaded, ...known.loaded]);
    const wishes = command.names?.(input, state, facts, now);
    const plan = wishes ? await nameClaims.plan(wishes, loaded, Date.parse(now)) : noPlan;
    const decided = command.decide(input, state, { now, commandId, id, facts, names: plan.values });
    const decision: Decision<E> = 'events' in decided ? decided : { events: decided };
    if (decision.events.length === 0) {
      return { id, state, events: [], position: highestPosition([loaded, ...known.loaded]), repeated: false };
    }

    const texts = { owner: stream, version: loaded.version, bodies: decision.bodies ?? [] };
    if (!(await writeTexts(store, texts, request, now))) return 'again';
    const claimant = { owner: stream, request, now };
    if (!(await nameClaims.claim(plan, loaded, claimant))) return 'again';
    const expectedVersion = loaded.version;
    const events = newEvents(decision.events, { stream, expectedVersion }, request, now);
    const appended = await store.append({ stream, expectedVersion, events });
    if (appended.outcome === 'conflict') return 'again';
    const { position } = appended;
    streams.stored(model, loaded, { events, position });
    await nameClaims.releaseSuperseded(plan, claimant);
    return { id, state: foldEvents(model, events, state), events: decision.events, position, repeated: false };
  }

  return {
    run: async (command, unparsed, request) => {
      const input = parseInput(command.input, unparsed);
      for (let tryNumber = 0; ; tryNumber += 1) {
        let isNew = false;
        const newId: NewId = (prefix, key = request.commandId) => {
          isNew = true;
          return newEntityId(prefix, key, tryNumber);
        };
        const stream = command.stream(input, newId);
        const result = await queue.run(stream, () =>
          retryConflicts(deps, () => attempt({ command, input, stream, isNew, request })),
        );
        // Somebody took over a name that this command had claimed and fenced the entity it was about to create.
        if (result !== 'abandoned') return result;
      }
    },
  };
}
