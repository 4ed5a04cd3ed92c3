import { z } from 'zod';
import type { DomainEvent } from '../../kernel/event.ts';

/** What of one event type leaves through `registry.events`. */
export interface Publication<Data> {
  readonly schema: z.ZodObject;
  // A method, not a property: each knows its own data, and who publishes only hands them on.
  pick(data: Data): object;
}

/** One line for every event type, with the fields of it that leave; null for a type of which nothing does. */
export type PublicationsOf<E extends DomainEvent> = {
  readonly [Type in E['type']]: Publication<Extract<E, { type: Type }>['data']> | null;
};

/** Names exactly the fields that leave: one missing does not compile, one too many fails the schema in the tests. */
export const publish = <Data, Shape extends z.ZodRawShape>(
  shape: Shape,
  pick: (data: Data) => z.output<z.ZodObject<Shape, z.core.$strict>>,
): Publication<Data> => ({ schema: z.strictObject(shape), pick });
