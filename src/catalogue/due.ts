import { dueAheadMs } from '../domain/release/visible.ts';

/** Releases dated after this are not there yet (contract 2.9). */
export const dueUntilMs = (nowMs: number): number => nowMs + dueAheadMs;
