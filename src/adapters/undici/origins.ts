import { setMaxListeners } from 'node:events';
import { type Connections, createConnections } from './connections.ts';
import { clientOpener } from './open-client.ts';

export interface Origins {
  /** What carries requests to this origin; with addresses, over connections to these only. */
  readonly connectionsTo: (origin: string, addresses: readonly string[] | undefined) => Connections;
  /** Cuts all connections, those to origins that were forgotten too. */
  readonly cut: () => void;
}

// To one origin at one set of addresses. As many as the deliverer makes attempts at once: even if all of them go to one
// host that many webhooks share, none waits for a connection, which would take time from the lease of its delivery.
const connectionsMax = 256;
// A few hundred receivers are usual; what is forgotten beyond this costs a new connection and nothing else.
const originsMax = 1_024;

/** The origins that were used last. */
export const createOrigins = (): Origins => {
  const known = new Map<string, Connections>(); // the one that was used last is at the end

  const cutting = new AbortController();
  const { signal } = cutting;
  setMaxListeners(0, signal); // one for each connection

  const retireOldest = (): void => {
    for (const [key, connections] of known) {
      known.delete(key);
      connections.retire();
      return;
    }
  };

  return {
    connectionsTo: (origin, addresses) => {
      const key = addresses === undefined ? origin : `${origin} ${addresses.toSorted().join(' ')}`;
      const connections =
        known.get(key) ?? createConnections(clientOpener({ origin, addresses, signal }), connectionsMax);
      known.delete(key);
      known.set(key, connections);
      if (known.size > originsMax) retireOldest();
      return connections;
    },
    cut: () => cutting.abort(),
  };
};
