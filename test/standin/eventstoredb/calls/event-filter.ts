import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { handlerThrew } from '../grpc-failure.ts';
import type { StoredEvent } from '../log/stored-event.ts';

/** How many events the server looks at in one step when the reader names no window. */
const defaultWindow = 32;

export interface EventFilter {
  readonly accepts: (event: StoredEvent) => boolean;
  /** A checkpoint is due after this many events looked at, accepted or not. */
  readonly checkpointEvery: number;
}

export const readFilter = (options: ReadReq.Options.FilterOptions): EventFilter => {
  const expression = options.getEventType() ?? options.getStreamIdentifier();
  const multiplier = options.getCheckpointintervalmultiplier();
  if (!expression || multiplier === 0 || !(options.hasMax() || options.hasCount())) throw handlerThrew();
  const window = options.hasMax() ? options.getMax() : defaultWindow;
  if (window === 0) throw handlerThrew();
  const subject = options.hasEventType() ? (event: StoredEvent) => event.type : (event: StoredEvent) => event.stream;
  const prefixes = expression.getPrefixList();
  const pattern = expression.getRegex() === '' ? undefined : new RegExp(expression.getRegex());
  if (!pattern && prefixes.length === 0) throw handlerThrew();
  const matches = (text: string): boolean =>
    pattern ? pattern.test(text) : prefixes.some((prefix) => text.startsWith(prefix));
  return { accepts: (event) => matches(subject(event)), checkpointEvery: window * multiplier };
};
