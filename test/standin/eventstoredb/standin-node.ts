import { createEventLog, type EventLog, jsonEvent } from './log/event-log.ts';
import type { Faults } from './faults.ts';
import { createInFlight } from './log/in-flight.ts';
import { noJournal, openJournal } from './log/journal.ts';
import type { Membership } from './membership.ts';
import { createOpenCalls } from './open-calls.ts';
import type { FailureStatus, StandinStats } from './standin-command.ts';
import type { StandinParts } from './standin-parts.ts';
import type { StoredEvent } from './log/stored-event.ts';

export interface StandinSettings {
  /** As clients are told to reach its nodes. */
  readonly host: string;
  readonly startPosition: bigint;
  readonly batchAppend: boolean;
  readonly appendBytesMax: number;
  readonly commitTimeoutMs: number;
  readonly dataFile: string | undefined;
}

export interface NodeDeps {
  readonly settings: StandinSettings;
  readonly faults: Faults;
  readonly membership: Membership;
  /** Called with each transaction of this node, before anybody can see it. */
  readonly onStored: (events: readonly StoredEvent[]) => void;
}

/** One node of the EventStoreDB stand-in: its log, its connections and its subscriptions. */
export interface StandinNode {
  readonly parts: StandinParts;
  readonly stats: () => StandinStats;
  /** What a new server writes by itself before anybody else does. */
  readonly begin: () => void;
  readonly writeSystemEvent: () => void;
  readonly endSubscriptions: (status: FailureStatus | 'OK') => void;
  /** Ends subscriptions and leaves the log empty. */
  readonly empty: () => void;
}

const statsStream = '$stats-127.0.0.1:2113';

export const createNode = ({ settings, faults, membership, onStored }: NodeDeps): StandinNode => {
  const journal = settings.dataFile === undefined ? noJournal : openJournal(settings.dataFile);
  const calls = createOpenCalls();
  const inFlight = createInFlight();
  const subscriptionEnds: StandinParts['subscriptionEnds'] = new Set();
  let scavenges = 0;
  const newLog = (): EventLog =>
    createEventLog({
      startPosition: settings.startPosition,
      nowMs: Date.now,
      keep: (events) => {
        journal.keep({ events });
        onStored(events);
      },
    });
  let log = newLog();
  journal.replay((entry) => ('events' in entry ? log.restore(entry.events) : log.scavenge()));

  const parts: StandinParts = {
    get log() {
      return log;
    },
    faults,
    calls,
    inFlight,
    membership,
    batchAppend: settings.batchAppend,
    appendBytesMax: settings.appendBytesMax,
    commitTimeoutMs: settings.commitTimeoutMs,
    subscriptionEnds,
    nowMs: Date.now,
    scavenge: () => {
      journal.keep({ scavenged: true });
      log.scavenge();
      scavenges += 1;
    },
  };
  const writeSystemEvent = (): void => {
    log.append(statsStream, 'any', [jsonEvent('$statsCollected', '{"proc-cpu":0}')]);
  };
  const endSubscriptions: StandinNode['endSubscriptions'] = (status) => {
    for (const end of [...subscriptionEnds]) end(status);
  };
  return {
    parts,
    stats: () => ({ ...calls.stats(), eventsStored: log.length(), scavenges }),
    begin: () => {
      log.append(`$$${statsStream}`, 'any', [jsonEvent('$metadata', '{"$maxAge":86400}')]);
      writeSystemEvent();
    },
    writeSystemEvent,
    endSubscriptions,
    empty: () => {
      endSubscriptions('UNAVAILABLE');
      inFlight.discard();
      journal.empty();
      log = newLog();
    },
  };
};
