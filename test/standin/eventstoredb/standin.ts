import { createEventLog, type EventLog, jsonEvent } from './log/event-log.ts';
import { createFaults } from './faults.ts';
import { noJournal, openJournal } from './log/journal.ts';
import { createOpenCalls } from './open-calls.ts';
import type { StandinCommand, StandinStats } from './standin-command.ts';
import type { StandinParts } from './standin-parts.ts';
import type { StoredEvent } from './log/stored-event.ts';

export interface StandinSettings {
  readonly startPosition: bigint;
  readonly appendBytesMax: number;
  readonly dataFile: string | undefined;
}

const statsStream = '$stats-127.0.0.1:2113';

/** The parts of one EventStoreDB stand-in, and what the control channel can ask of them. */
export const createStandin = (
  settings: StandinSettings,
): { parts: StandinParts; control: (command: StandinCommand) => StandinStats | null } => {
  const journal = settings.dataFile === undefined ? noJournal : openJournal(settings.dataFile);
  const faults = createFaults();
  const calls = createOpenCalls();
  const subscriptionEnds: StandinParts['subscriptionEnds'] = new Set();
  let scavenges = 0;
  const newLog = (): EventLog =>
    createEventLog({
      startPosition: settings.startPosition,
      nowMs: Date.now,
      keep: (events: readonly StoredEvent[]) => journal.keep({ events }),
    });
  const writeSystemEvent = (log: EventLog): void => {
    log.append(statsStream, 'any', [jsonEvent('$statsCollected', '{"proc-cpu":0}')]);
  };
  /** What a new server writes by itself before anybody else does. */
  const begin = (log: EventLog): EventLog => {
    log.append(`$$${statsStream}`, 'any', [jsonEvent('$metadata', '{"$maxAge":86400}')]);
    writeSystemEvent(log);
    return log;
  };

  let log = newLog();
  journal.replay((entry) => ('events' in entry ? log.restore(entry.events) : log.scavenge()));
  if (log.length() === 0) begin(log);

  const parts: StandinParts = {
    get log() {
      return log;
    },
    faults,
    calls,
    appendBytesMax: settings.appendBytesMax,
    subscriptionEnds,
    nowMs: Date.now,
    scavenge: () => {
      journal.keep({ scavenged: true });
      log.scavenge();
      scavenges += 1;
    },
  };

  const reset = (): void => {
    faults.clear();
    for (const end of [...subscriptionEnds]) end('UNAVAILABLE');
    journal.empty();
    log = begin(newLog());
  };

  const control = (command: StandinCommand): StandinStats | null => {
    if ('fault' in command) {
      const now = command.fault === 'end-subscriptions' && command.afterEvents === undefined;
      if (now) for (const end of [...subscriptionEnds]) end(command.status ?? 'OK');
      else faults.arm(command);
      return null;
    }
    if (command.command === 'stats') return { ...calls.stats(), eventsStored: log.length(), scavenges };
    if (command.command === 'drop-connections') calls.cutAll();
    else if (command.command === 'clear') faults.clear();
    else if (command.command === 'reset') reset();
    else writeSystemEvent(log);
    return null;
  };
  return { parts, control };
};
