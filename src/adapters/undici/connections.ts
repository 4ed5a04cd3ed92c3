import type { Client } from 'undici';

/** The connections to one origin. Each carries one request at a time. */
export interface Connections {
  /** Calls back with a connection, at once if there is a free one. Until then, what it returns ends the waiting. */
  readonly take: (onTaken: (client: Client) => void) => () => void;
  /** After a whole answer: the connection can carry the next request. */
  readonly giveBack: (client: Client) => void;
  /** Cut: it is in the middle of something that nobody waits for. */
  readonly drop: (client: Client, reason: Error) => void;
  /** Keeps none any longer; who has one or waits for one is not disturbed. */
  readonly retire: () => void;
}

/**
 * The driver's own pool is not used because of what it does about a request that is given up: it opens a connection for
 * it once more, keeps its place in the queue, and waits for a connection that is still being opened.
 */
export const createConnections = (open: () => Client, connectionsMax: number): Connections => {
  const busy = new Set<Client>();
  const idle: Client[] = []; // the one that was used last is at the end, and the first to be used again
  const waiting = new Set<(client: Client) => void>();
  let isRetired = false;

  /** Without its connection it is worth nothing, and after a rush there would be hundreds for each origin. */
  const forget = (client: Client): void => {
    const at = idle.indexOf(client);
    if (at === -1) return;
    idle.splice(at, 1);
    void client.destroy();
  };

  const openNew = (): Client => {
    const client = open();
    return client.on('disconnect', () => forget(client));
  };

  const serve = (onTaken: (client: Client) => void): void => {
    const client = idle.pop() ?? openNew();
    busy.add(client);
    onTaken(client);
  };

  const serveNext = (): void => {
    for (const onTaken of waiting) {
      waiting.delete(onTaken);
      serve(onTaken);
      return;
    }
  };

  const cutIdle = (): void => {
    for (const client of idle.splice(0)) void client.destroy();
  };

  return {
    take: (onTaken) => {
      if (busy.size < connectionsMax) serve(onTaken);
      else waiting.add(onTaken);
      return () => void waiting.delete(onTaken);
    },
    giveBack: (client) => {
      busy.delete(client);
      idle.push(client);
      serveNext();
      if (isRetired) cutIdle();
    },
    drop: (client, reason) => {
      busy.delete(client);
      void client.destroy(reason);
      serveNext();
    },
    retire: () => {
      isRetired = true;
      cutIdle();
    },
  };
};
