import type { ProposedEvent } from './stored-event.ts';

export interface TakenAppend {
  readonly stream: string;
  readonly events: readonly ProposedEvent[];
}

/** Appends that a node of the EventStoreDB stand-in has taken in and not committed yet, in their order. */
export interface InFlight {
  readonly isRepeat: (append: TakenAppend) => boolean;
  /** Whether one to the same stream has come before, so that this one has to wait for it. */
  readonly isBehind: (append: TakenAppend) => boolean;
  readonly hold: (append: TakenAppend, commit: () => void) => void;
  readonly release: () => void;
  /** Somebody waits for a commit, for so long at most. */
  readonly waitAtMost: (timeoutMs: number, giveUp: () => void) => void;
  /** Everybody who waits gives up at once. */
  readonly timeOut: () => void;
  /** None of them is ever committed: their node leads no more. */
  readonly discard: () => void;
}

const idsOf = ({ events }: TakenAppend): string => events.map(({ id }) => id).join();

export const createInFlight = (): InFlight => {
  let held: { readonly append: TakenAppend; readonly commit: () => void }[] = [];
  const waiting = new Set<() => void>();
  const takeAll = (): typeof held => {
    const taken = held;
    held = [];
    return taken;
  };
  return {
    isRepeat: (append) =>
      held.some((one) => one.append.stream === append.stream && idsOf(one.append) === idsOf(append)),
    isBehind: ({ stream }) => held.some(({ append }) => append.stream === stream),
    hold: (append, commit) => void held.push({ append, commit }),
    release: () => {
      for (const { commit } of takeAll()) commit();
    },
    waitAtMost: (timeoutMs, giveUp) => {
      const once = (): void => {
        waiting.delete(once);
        giveUp();
      };
      waiting.add(once);
      setTimeout(once, timeoutMs);
    },
    timeOut: () => {
      for (const giveUp of [...waiting]) giveUp();
    },
    discard: () => void takeAll(),
  };
};
