import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { type RebuildProgress, rebuildProjection } from '../runtime/rebuild.ts';
import { type CliCommand, type CliContext, UsageError } from './cli-command.ts';
import { withStores } from './with-stores.ts';

export const rebuildCommand: CliCommand = {
  usage: 'rebuild <name>',
  summary: 'fills a read model anew beside the live one and switches to it; a killed rebuild goes on where it was',
  run: async (context) => {
    const [name] = context.words;
    const projection = allProjections.find((one) => one.name === name);
    if (projection === undefined) {
      throw new UsageError(`Name one of: ${allProjections.map((one) => one.name).join(', ')}.`);
    }
    return withStores(context.dataDir, async ({ eventStore: store, readModels }) => {
      const generation = await rebuildProjection(projection, {
        store,
        readModels,
        clock: systemClock,
        holder: `rebuild:${process.pid}:${systemIds.commandId()}`,
        onProgress: progressLines(context),
      });
      const answer = { name: projection.name, generation };
      context.print(context.json ? JSON.stringify(answer) : `${answer.name} is live as generation ${generation}`);
      return 0;
    });
  },
};

/** A bar on a terminal, a line each second otherwise. */
function progressLines({ note, isTerminal }: CliContext): (progress: RebuildProgress) => void {
  let saidMs = 0;
  return ({ name, phase, position, target, eventsPerSecond }) => {
    const nowMs = systemClock.nowMs();
    if (phase !== 'live' && nowMs - saidMs < (isTerminal ? 100 : 1_000)) return;
    saidMs = nowMs;
    const share = target === 0 ? 1 : Math.min(1, position / target);
    const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░');
    const text = `${name} ${phase} ${isTerminal ? `${bar} ` : ''}${position} of ${target}, ${eventsPerSecond} events/s`;
    note(isTerminal ? `\r${text}\u001b[K${phase === 'live' ? '\n' : ''}` : `${text}\n`);
  };
}
