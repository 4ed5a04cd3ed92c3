import { isSoftDeleted, type StreamState } from './stream-state.ts';

/** -1 is no stream, as a number to compare with. */
export type ExpectedRevision = bigint | 'any' | 'no_stream' | 'stream_exists';

export type CommitDecision =
  | { readonly decision: 'commit' }
  | { readonly decision: 'repeat'; readonly lastRevision: number }
  | { readonly decision: 'wrong-version' }
  | { readonly decision: 'deleted' };

/** Where an event with this id was last committed, as far as the server still remembers. */
export type RecallCommit = (id: string) => { readonly stream: string; readonly revision: number } | undefined;

/** Decides what an append of these ids does: the server's rules of expected revision and idempotency. */
export const checkCommit = (
  state: StreamState,
  hasMetadata: boolean,
  expected: ExpectedRevision,
  ids: readonly string[],
  recall: RecallCommit,
): CommitDecision => {
  const current = BigInt(state.events.length) - 1n;
  if (state.tombstoned) return { decision: 'deleted' };
  if (expected === 'stream_exists') {
    if (isSoftDeleted(state)) return { decision: 'deleted' };
    if (current < 0n && !hasMetadata) return { decision: 'wrong-version' };
  }
  if (expected === 'any' || expected === 'stream_exists') return checkRemembered(state, ids, recall);
  const expectedNumber = expected === 'no_stream' ? -1n : expected;
  if (expectedNumber > current) return { decision: 'wrong-version' };
  if (expectedNumber === current) return { decision: 'commit' };
  const first = Number(expectedNumber) + 1;
  const matching = ids.findIndex((id, index) => state.events[first + index]?.id !== id);
  if (matching === -1 && ids.length > 0) return { decision: 'repeat', lastRevision: first + ids.length - 1 };
  const startsAgain = matching === 0 && expected === 'no_stream' && isSoftDeleted(state);
  return { decision: startsAgain ? 'commit' : 'wrong-version' };
};

/** Without an exact revision the server goes by a bounded memory of ids, so a repeat may also be stored twice. */
function checkRemembered(state: StreamState, ids: readonly string[], recall: RecallCommit): CommitDecision {
  const found = ids.map((id) => recall(id)).map((commit) => (commit?.stream === state.name ? commit : undefined));
  const last = found.at(-1);
  if (found[0] === undefined) return { decision: 'commit' };
  if (found.includes(undefined) || last === undefined) return { decision: 'wrong-version' };
  return { decision: 'repeat', lastRevision: last.revision };
}
