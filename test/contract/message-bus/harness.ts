import type { MessageBus } from '../../../src/ports/message-bus.ts';
import type { ChildScript } from './child-script.ts';

/** A process of its own that runs a `ChildScript` until it is killed. */
export interface SpawnedProcess {
  /** The lines it has told so far. */
  readonly told: () => readonly string[];
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
}

/** The suite names its topics and groups anew in every test, so a back end may keep those of earlier ones. */
export interface MessageBusHarness {
  readonly make: () => Promise<MessageBus>;
  /** Two buses over one back end that know of each other as little as two processes do. */
  readonly makeTwoOnOneBackend: () => Promise<[MessageBus, MessageBus]>;
  /** Cuts what lies between the bus and its back end, long enough for calls to fail; resolves when it is back. */
  readonly interrupt: (bus: MessageBus) => Promise<void>;
  /** A process whose bus has the back end of this one. */
  readonly spawn: (bus: MessageBus, script: ChildScript) => Promise<SpawnedProcess>;
  /** The clock of the bus. Its time passes by itself. */
  readonly nowMs: () => number;
  /** Waits by the clock of the bus. */
  readonly passTime: (ms: number) => Promise<void>;
  /** Closes all that was made; the harness can be used again. */
  readonly close: () => Promise<void>;
}
