import progress from 'cli-progress';
import { systemClock } from '../adapters/system/clock.ts';
import type { CliContext } from './cli-command.ts';

export interface ProgressStep {
  readonly done: number;
  readonly total: number;
  /** How it goes: `1,200 releases`. */
  readonly detail: string;
}

export interface Progress {
  readonly show: (step: ProgressStep) => void;
  /** Shows the last step, however lately another one was shown. */
  readonly end: () => void;
}

const lineEveryMs = 1_000;

function createBar(what: string): Progress {
  const format = `${what} {bar} {value} of {total}, {detail}`;
  const bar = new progress.SingleBar({ format, stream: process.stderr, barsize: 30 }, progress.Presets.shades_classic);
  let started = false;
  return {
    show: ({ done, total, detail }) => {
      if (!started) bar.start(total, done, { detail });
      started = true;
      bar.setTotal(total);
      bar.update(done, { detail });
    },
    end: () => bar.stop(),
  };
}

function createLines(what: string, note: CliContext['note']): Progress {
  let shownMs = 0;
  let waiting: ProgressStep | undefined;
  const say = ({ done, total, detail }: ProgressStep) => note(`${what} ${done} of ${total}, ${detail}\n`);
  return {
    show: (step) => {
      const nowMs = systemClock.nowMs();
      waiting = step;
      if (nowMs - shownMs < lineEveryMs) return;
      shownMs = nowMs;
      say(step);
      waiting = undefined;
    },
    end: () => {
      if (waiting !== undefined) say(waiting);
    },
  };
}

/** A bar on a terminal, a line each second otherwise. */
export const createProgress = (
  what: string,
  { note, isTerminal }: Pick<CliContext, 'note' | 'isTerminal'>,
): Progress => (isTerminal ? createBar(what) : createLines(what, note));
