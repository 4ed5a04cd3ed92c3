import { Socket } from 'node:net';

export interface IdleLimits {
  /** A connection on which nothing moves in either direction, though a request is in hand, is cut. */
  readonly idleTimeoutMs: number;
  /** The same without a request. */
  readonly keepAliveMs: number;
}

interface Seen {
  movedBytes: number;
  sinceMs: number;
  isTimed: boolean;
}

/** Keeps to a limit by a fifth of it at the most, and looks no oftener than it must. */
const looksPerLimit = 5;
const lookEveryMsMax = 5_000;
/** Not at all connections in one turn: of many thousands it would hold up those who ask. */
const partsOfLook = 20;

/**
 * Cuts connections on which nothing happens. Node would set a timer anew with every request and with every answer, which
 * costs more than to send one that is ready: here each connection is looked at from time to time.
 * Only Node knows whether a client still takes what was written long ago, so one with a request in hand on which nothing
 * seems to move gets Node's own timer after all.
 */
export function createIdleConnections(
  { idleTimeoutMs, keepAliveMs }: IdleLimits,
  isBusy: (connection: Socket) => boolean,
) {
  const open = new Map<Socket, Seen>();
  const lookEveryMs = Math.min(lookEveryMsMax, Math.min(idleTimeoutMs, keepAliveMs) / looksPerLimit);
  let looking: NodeJS.Timeout | undefined;
  let turns = open.entries();

  const setTimer = (connection: Socket, seen: Seen, timeoutMs: number): void => {
    seen.isTimed = timeoutMs > 0;
    Socket.prototype.setTimeout.call(connection, timeoutMs);
  };

  const look = (connection: Socket, seen: Seen, nowMs: number): void => {
    const movedBytes = connection.bytesRead + connection.bytesWritten;
    const isBusyNow = isBusy(connection);
    if (movedBytes !== seen.movedBytes || (seen.isTimed && !isBusyNow)) {
      if (seen.isTimed) setTimer(connection, seen, 0);
      seen.movedBytes = movedBytes;
      seen.sinceMs = nowMs;
    } else if (isBusyNow) {
      if (!seen.isTimed) setTimer(connection, seen, idleTimeoutMs);
    } else if (nowMs - seen.sinceMs >= keepAliveMs) {
      connection.destroy();
    }
  };

  /** Goes on where it was; those who come meanwhile have their turn behind the others. */
  const lookAtSome = (): void => {
    const nowMs = performance.now();
    for (let left = Math.ceil(open.size / partsOfLook); left > 0; left -= 1) {
      let next = turns.next();
      if (next.done === true) {
        turns = open.entries();
        next = turns.next();
      }
      if (next.done !== true) look(...next.value, nowMs);
    }
  };

  return {
    watch: (connection: Socket): void => {
      connection.setTimeout = () => connection; // what Node sets with every request
      open.set(connection, { movedBytes: 0, sinceMs: performance.now(), isTimed: false });
      looking ??= setInterval(lookAtSome, lookEveryMs / partsOfLook).unref();
      connection.once('close', () => {
        open.delete(connection);
        if (open.size > 0) return;
        clearInterval(looking);
        looking = undefined;
      });
    },
  };
}
