import type { OrgEvent } from './events.ts';
import type { OrgState } from './state.ts';

/** What it takes to be hidden or shown as wanted; nothing when it is so already, or when nothing was asked for. */
export function orgVisibilityEvents({ hidden }: OrgState, wanted: boolean | undefined, now: string): OrgEvent[] {
  if (wanted === undefined || wanted === hidden) return [];
  return wanted
    ? [{ type: 'OrgHidden.v1', data: { hiddenAt: now } }]
    : [{ type: 'OrgUnhidden.v1', data: { unhiddenAt: now } }];
}
