import type { SourceEvent } from './events.ts';
import type { SourceState } from './state.ts';

/** What it takes to be hidden or shown as wanted; nothing when it is so already, or when nothing was asked for. */
export function sourceVisibilityEvents(
  { hidden }: SourceState,
  wanted: boolean | undefined,
  now: string,
): SourceEvent[] {
  if (wanted === undefined || wanted === hidden) return [];
  return wanted
    ? [{ type: 'SourceHidden.v1', data: { hiddenAt: now } }]
    : [{ type: 'SourceUnhidden.v1', data: { unhiddenAt: now } }];
}
