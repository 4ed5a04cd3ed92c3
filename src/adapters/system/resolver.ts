import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { Resolver } from '../../ports/resolver.ts';

type Lookup = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

export interface ResolverOptions {
  readonly lookup?: Lookup;
  readonly timeoutMs?: number;
}

// EINVAL is a name that is too long or no name at all. Anything else is a fault of this machine.
const noAnswer = /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA|EAI_NONAME|EINVAL)$/;

/** As the machine resolves names, its hosts file included. */
export const createResolver = ({ lookup = systemLookup, timeoutMs = 5_000 }: ResolverOptions = {}): Resolver => {
  // The system looks up a few names at a time and cannot be stopped, so one that hangs is asked for once only.
  const underWay = new Map<string, Promise<readonly string[]>>();

  const ask = (name: string): Promise<readonly string[]> => {
    const answer = new Promise<readonly string[]>((resolve, reject) => {
      lookup(name, { all: true, verbatim: true }, (error, found) => {
        underWay.delete(name);
        if (error === null) resolve(found.map(({ address }) => address));
        else if (noAnswer.test(error.code ?? '')) resolve([]);
        else reject(error);
      });
    });
    underWay.set(name, answer);
    return answer;
  };

  return {
    addresses: async (hostName) => {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<readonly string[]>((resolve) => {
        timer = setTimeout(() => resolve([]), timeoutMs);
      });
      try {
        return await Promise.race([underWay.get(hostName) ?? ask(hostName), tooLate]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
};

export const systemResolver: Resolver = createResolver();
