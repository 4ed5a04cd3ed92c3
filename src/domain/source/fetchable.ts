import type { OrgState } from '../org/state.ts';
import type { SourceState } from './state.ts';

/** Whether it is there at all: a deleted org takes its sources with it. */
export const isSourceThere = (source: SourceState, org: OrgState | null): boolean =>
  source.lifecycle === 'live' && (org === null || org.lifecycle === 'live');

/** Whether it is fetched by schedule (contract 15.2). */
export const isFetchedBySchedule = (source: SourceState, org: OrgState | null): boolean =>
  isSourceThere(source, org) &&
  source.type !== 'agent' &&
  source.fetchPriority !== 'paused' &&
  (org === null || !org.fetchPaused);
