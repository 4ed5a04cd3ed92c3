import type { ProductEvent } from './events.ts';
import type { ProductState } from './state.ts';

/** What it takes to be hidden or shown as wanted; nothing when it is so already, or when nothing was asked for. */
export function productVisibilityEvents(
  { hidden }: ProductState,
  wanted: boolean | undefined,
  now: string,
): ProductEvent[] {
  if (wanted === undefined || wanted === hidden) return [];
  return wanted
    ? [{ type: 'ProductHidden.v1', data: { hiddenAt: now } }]
    : [{ type: 'ProductUnhidden.v1', data: { unhiddenAt: now } }];
}
