import { expect } from 'vitest';
import type { BatchCommand, BodyWrite } from '../../src/kernel/command.ts';
import { type ErrorCode, isDomainError } from '../../src/kernel/errors.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { parseStream } from '../../src/kernel/stream-name.ts';
import { stateAfter, testMetadata, testNow } from './given-when-then.ts';

export interface BatchWorld<Facts, ItemFacts> {
  readonly facts: Facts;
  /** What the streams that itemFacts asks for hold, by stream. */
  readonly itemFacts?: Readonly<Record<string, ItemFacts[keyof ItemFacts]>>;
  readonly now?: string;
}

export interface DecidedBatch<E extends DomainEvent, Result> {
  /** In the order of the items. */
  readonly results: readonly Result[];
  /** Of all streams, in the order of their first items. */
  readonly events: readonly E[];
  readonly eventsByStream: ReadonlyMap<string, readonly E[]>;
  readonly bodies: readonly BodyWrite[];
}

/**
 * `givenBatch(command, pastByStream).when(input, world)`: a batch command's decisions without any store. Facts of an
 * item are asked for with the stored state only, as a runner does that reads everything before it decides.
 */
export function givenBatch<
  Input,
  Item,
  State,
  E extends DomainEvent,
  Facts extends object,
  ItemFacts extends object,
  Result,
>(
  command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
  past: Readonly<Record<string, readonly E[]>> = {},
) {
  const storedState = (stream: string): State => stateAfter(command.model, past[stream] ?? []);

  const factsOf = (item: Item, state: State, stored: BatchWorld<Facts, ItemFacts>['itemFacts']): Partial<ItemFacts> => {
    const facts: Partial<ItemFacts> = {};
    const requests = command.itemFacts?.(item, state) ?? {};
    for (const name of Object.keys(requests) as (keyof ItemFacts)[]) {
      const request = (requests as Record<keyof ItemFacts, { stream: string; model: { initial: unknown } }>)[name];
      facts[name] = (stored?.[request.stream] ?? request.model.initial) as ItemFacts[keyof ItemFacts];
    }
    return facts;
  };

  return {
    when(input: unknown, world: BatchWorld<Facts, ItemFacts>) {
      const decide = (): DecidedBatch<E, Result> => {
        const items = command.items(command.input.parse(input), world.facts);
        const states = new Map<string, State>();
        const eventsByStream = new Map<string, E[]>();
        const bodies: BodyWrite[] = [];
        const results = items.map(({ stream, item }) => {
          const state = states.get(stream) ?? storedState(stream);
          const decision = command.decide(item, state, {
            now: world.now ?? testNow,
            commandId: testMetadata.commandId,
            id: parseStream(stream).id,
            facts: { ...world.facts, ...factsOf(item, storedState(stream), world.itemFacts) },
            names: {},
          });
          states.set(
            stream,
            decision.events.reduce((next, event) => command.model.evolve(next, event, testMetadata), state),
          );
          eventsByStream.set(stream, [...(eventsByStream.get(stream) ?? []), ...decision.events]);
          bodies.push(...(decision.bodies ?? []));
          return decision.result;
        });
        return { results, events: [...eventsByStream.values()].flat(), eventsByStream, bodies };
      };
      return {
        decided: decide,
        thenFails: (code: ErrorCode, details?: Record<string, unknown>) => {
          let thrown: unknown;
          try {
            decide();
          } catch (error) {
            thrown = error;
          }
          if (!isDomainError(thrown)) throw new Error(`expected ${code}, got ${String(thrown)}`);
          expect(thrown.code).toBe(code);
          if (details) expect(thrown.details).toMatchObject(details);
        },
      };
    },
  };
}
