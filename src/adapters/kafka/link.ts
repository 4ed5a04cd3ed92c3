interface Connectable {
  readonly connect: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
}

/**
 * A client that is connected with its first use, and replaced after a failure: nobody knows then what it believes of
 * the cluster, and a producer may count on from a message whose fate is not known.
 */
export interface Link<Client> {
  readonly use: <Result>(work: (client: Client) => Promise<Result>) => Promise<Result>;
  /** The next use gets a new one. */
  readonly replace: () => void;
  readonly close: () => Promise<void>;
}

interface Opened<Client> {
  readonly client: Client;
  readonly connected: Promise<void>;
  users: number;
}

export function createLink<Client extends Connectable>(make: () => Client): Link<Client> {
  let current: Opened<Client> | undefined;
  const ending = new Set<Promise<unknown>>();

  const open = (): Opened<Client> => {
    const client = make();
    return { client, connected: client.connect(), users: 0 };
  };
  const endUnused = (opened: Opened<Client>): void => {
    if (opened === current || opened.users > 0) return;
    // A connection that cannot be ended in good order is ended none the less.
    const end = opened.client.disconnect().catch(() => undefined);
    ending.add(end);
    void end.then(() => ending.delete(end));
  };
  const giveUp = (opened: Opened<Client>): void => {
    if (opened === current) current = undefined;
  };

  const replace = (): void => {
    const opened = current;
    if (opened === undefined) return;
    giveUp(opened);
    endUnused(opened);
  };

  return {
    use: async (work) => {
      current ??= open();
      const opened = current;
      opened.users += 1;
      try {
        await opened.connected;
        return await work(opened.client);
      } catch (error) {
        giveUp(opened);
        throw error;
      } finally {
        opened.users -= 1;
        endUnused(opened);
      }
    },
    replace,
    close: async () => {
      replace();
      await Promise.all(ending);
    },
  };
}
