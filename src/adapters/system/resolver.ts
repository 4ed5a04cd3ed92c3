import { Resolver as DnsResolver } from 'node:dns/promises';
import type { Clock } from '../../ports/clock.ts';
import type { Resolver } from '../../ports/resolver.ts';
import { systemClock } from './clock.ts';

/** Asks name servers for one name. */
export interface NameQuery {
  readonly resolve4: (name: string) => Promise<string[]>;
  readonly resolve6: (name: string) => Promise<string[]>;
  /** What is not answered yet ends at once, with ECANCELLED. */
  readonly cancel: () => void;
}

export interface ResolverOptions {
  readonly openQuery?: () => NameQuery;
  readonly clock?: Pick<Clock, 'nowMs'>;
  readonly timeoutMs?: number;
}

// A lost packet is sent once more after a second or two, and that try has twice the time: all within the 5 s below.
const openSystemQuery = (): NameQuery => new DnsResolver({ timeout: 1_000, tries: 2 });

// A name with many deliveries is asked for once in a while only, and a receiver that moves is found soon. A name without
// an address is not remembered: whoever has just mended it is not to wait.
const keptMs = 10_000;
const keptMax = 1_000;

// The name does not exist, has no such addresses or is none at all; its servers refuse, fail or are silent; the bound.
// Anything else is a fault of this machine.
const noAnswer = /^E(NOTFOUND|NODATA|BADNAME|SERVFAIL|REFUSED|FORMERR|NOTIMP|BADRESP|TIMEOUT|CONNREFUSED|CANCELLED)$/;

const answerOf = async (asked: Promise<string[]>): Promise<readonly string[]> => {
  try {
    return await asked;
  } catch (error) {
    if (noAnswer.test((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
};

/**
 * Asks the machine's name servers itself. The system's own way occupies one of the process's few threads for each name,
 * so that two names whose servers are silent would hold up all others. It also reads the hosts file, which is not
 * missed: no receiver on the public internet stands there.
 */
export const createResolver = (options: ResolverOptions = {}): Resolver => {
  const { openQuery = openSystemQuery, clock = systemClock, timeoutMs = 5_000 } = options;
  const underWay = new Map<string, Promise<readonly string[]>>();
  const kept = new Map<string, { readonly addresses: readonly string[]; readonly atMs: number }>(); // oldest first

  const ask = async (name: string): Promise<readonly string[]> => {
    const query = openQuery(); // one for each name, so that what is cancelled is this name only
    const timer = setTimeout(() => query.cancel(), timeoutMs);
    try {
      // IPv4 first: not every machine has a way to the others. Where one of the two is not answered, the other counts.
      const [ipv4, ipv6] = await Promise.all([answerOf(query.resolve4(name)), answerOf(query.resolve6(name))]);
      return [...ipv4, ...ipv6];
    } finally {
      clearTimeout(timer);
    }
  };

  const keep = (name: string, addresses: readonly string[]): void => {
    kept.delete(name);
    kept.set(name, { addresses, atMs: clock.nowMs() });
    for (const oldest of kept.keys()) {
      if (kept.size <= keptMax) return;
      kept.delete(oldest);
    }
  };

  const askAndKeep = async (name: string): Promise<readonly string[]> => {
    try {
      const addresses = await ask(name);
      if (addresses.length > 0) keep(name, addresses);
      return addresses;
    } finally {
      underWay.delete(name);
    }
  };

  return {
    addresses: async (hostName) => {
      const known = kept.get(hostName);
      // Either way: a clock that was set back must not keep an answer for longer.
      if (known !== undefined && Math.abs(clock.nowMs() - known.atMs) < keptMs) return known.addresses;
      const asked = underWay.get(hostName) ?? askAndKeep(hostName);
      underWay.set(hostName, asked);
      return asked;
    },
  };
};

export const systemResolver: Resolver = createResolver();
