import type { NameOwner } from '../../domain/name/name-owners.ts';
import type { Command, CommandRequest, Decision, NewId } from '../../kernel/command.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { newEntityId } from '../../kernel/ids.ts';
import { foldEvents } from '../../kernel/model.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import { parseStream } from '../../kernel/stream-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore, StreamSlice } from '../../ports/event-store.ts';
import type { Random } from '../../ports/random.ts';
import { decisionTime, highestPosition } from './command-times.ts';
import { loadFacts } from './load-facts.ts';
import { newEvents } from './new-events.ts';
import { createNameClaims, isAbandoned, type NamePlan } from './name-claims.ts';
import { retryConflicts } from './retry-conflicts.ts';
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
}

const noPlan: NamePlan = { names: [], values: {}, superseded: [] };

/** Parses, loads, decides, claims, appends. A crash at any await and a repeat of the command give one result. */
export function createCommandRunner(deps: CommandRunnerDeps): CommandRunner {
  const { store, clock, nameOwners } = deps;
  const nameClaims = createNameClaims(store, nameOwners);
  const queue = createStreamQueue();

  /** What the first run of this command answered, from the stream itself. */
  function answerAgain<State, E extends DomainEvent>(
    command: Command<never, State, E, never>,
    slice: StreamSlice,
    commandId: string,
  ): CommandResult<State> | null {
    const last = slice.events.findLastIndex((event) => event.metadata.commandId === commandId);
    if (last < 0) return null;
    return {
      id: parseStream(slice.stream).id,
      state: foldEvents(command.model, slice.events.slice(0, last + 1)),
      events: slice.events.filter((event) => event.metadata.commandId === commandId),
      position: slice.events[last]!.position,
      repeated: true,
    };
  }

  async function attempt<Input, State, E extends DomainEvent, Facts extends object>(
    command: Command<Input, State, E, Facts>,
    input: Input,
    stream: string,
    isNew: boolean,
    request: CommandRequest,
  ): Promise<CommandResult<State> | 'again' | 'abandoned'> {
    const slice = await store.read(stream);
    if (isNew && isAbandoned(slice)) return 'abandoned';
    const answered = answerAgain(command as unknown as Command<never, State, E, never>, slice, request.commandId);
    if (answered) return answered;

    const { id } = parseStream(stream);
    const state = foldEvents(command.model, slice.events);
    const { facts, slices } = await loadFacts<Facts>(store, (known) => command.facts?.(input, state, known) ?? {});
    const now = decisionTime(clock.nowMs(), [slice, ...slices]);
    const wishes = command.names?.(input, state, facts, now);
    const plan = wishes ? await nameClaims.plan(wishes, slice, Date.parse(now)) : noPlan;
    const { commandId } = request;
    const decided = command.decide(input, state, { now, commandId, id, facts, names: plan.values });
    const decision: Decision<E> = 'events' in decided ? decided : { events: decided };
    if (decision.events.length === 0) {
      return { id, state, events: [], position: highestPosition([slice, ...slices]), repeated: false };
    }

    await writeTexts(store, decision.bodies ?? [], request, now);
    if (!(await nameClaims.claim(plan, stream, request, now))) return 'again';
    const expectedVersion = slice.version;
    const events = newEvents(decision.events, { stream, expectedVersion }, request, now);
    const appended = await store.append({ stream, expectedVersion, events });
    if (appended.outcome === 'conflict') return 'again';
    await nameClaims.releaseSuperseded(plan, stream, request, now);
    return {
      id,
      state: foldEvents(command.model, events, state),
      events: decision.events,
      position: appended.position,
      repeated: false,
    };
  }

  return {
    run: async (command, unparsed, request) => {
      const input = parseInput(command.input, unparsed);
      for (let tryNumber = 0; ; tryNumber += 1) {
        let isNew = false;
        const newId: NewId = (prefix) => {
          isNew = true;
          return newEntityId(prefix, request.commandId, tryNumber);
        };
        const stream = command.stream(input, newId);
        const result = await queue.run(stream, () =>
          retryConflicts(deps, () => attempt(command, input, stream, isNew, request)),
        );
        // Somebody took over a name that this command had claimed and fenced the entity it was about to create.
        if (result !== 'abandoned') return result;
      }
    },
  };
}
