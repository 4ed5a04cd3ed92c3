import type { Command } from '../../src/kernel/command.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { stateAfter, testNow } from '../spec/given-when-then.ts';

/** The names that a command wants its owner to hold, as `field: candidate, candidate …` by key. */
export function wishesOf<Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  past: readonly E[],
  input: unknown,
  facts: Facts = {} as Facts,
): Record<string, string> | undefined {
  const wishes = command.names?.(command.input.parse(input), stateAfter(command.model, past), facts, testNow);
  return (
    wishes &&
    Object.fromEntries(
      Object.entries(wishes).map(([key, { field, candidates }]) => [
        key,
        `${field}: ${candidates.map(({ stream }) => stream).join(', ')}`,
      ]),
    )
  );
}
