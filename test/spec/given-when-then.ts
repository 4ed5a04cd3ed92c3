import { expect } from 'vitest';
import type { Command, DecisionContext } from '../../src/kernel/command.ts';
import { type ErrorCode, isDomainError } from '../../src/kernel/errors.ts';
import type { DomainEvent, EventMetadata } from '../../src/kernel/event.ts';
import type { Model } from '../../src/kernel/model.ts';

export const testNow = '2026-03-01T12:00:00.000Z';

export const testMetadata: EventMetadata = {
  commandId: '00000000-0000-4000-8000-000000000000',
  actor: 'root',
  cause: 'edit',
  correlationId: 'test',
  recordedAt: '2026-02-01T00:00:00.000Z',
};

/** The state after these events, as a decision would find it. */
export const stateAfter = <State, E extends DomainEvent>(model: Model<State, E>, events: readonly E[]): State =>
  events.reduce((state, event) => model.evolve(state, event, testMetadata), model.initial);

/** `given(command, past).when(input, facts).then(events)`: a command's decision without any store. */
export function given<Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  past: readonly E[] = [],
) {
  const state = stateAfter(command.model, past);
  return {
    when(input: unknown, world: { facts?: Facts; id?: string; now?: string; names?: Record<string, string> } = {}) {
      const decide = (): readonly E[] => {
        const parsed = command.input.parse(input);
        const facts = world.facts ?? ({} as Facts);
        const wishes = command.names?.(parsed, state, facts, world.now ?? testNow) ?? {};
        const firstChoices = Object.fromEntries(
          Object.entries(wishes).map(([key, wish]) => [key, wish.candidates[0]?.value ?? '']),
        );
        const context: DecisionContext<Facts> = {
          now: world.now ?? testNow,
          commandId: testMetadata.commandId,
          id: world.id ?? 'test-id',
          facts,
          names: { ...firstChoices, ...world.names },
        };
        const decision = command.decide(parsed, state, context);
        return 'events' in decision ? decision.events : decision;
      };
      return {
        then: (events: readonly E[]) => expect(decide()).toEqual(events),
        thenNothing: () => expect(decide()).toEqual([]),
        thenTypes: (...types: E['type'][]) => expect(decide().map((event) => event.type)).toEqual(types),
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
        events: decide,
      };
    },
  };
}
