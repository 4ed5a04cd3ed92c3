import { type Backend, BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';

export interface Outage {
  /** The same store, which cannot be reached while the outage lasts. */
  readonly over: <Store extends object>(store: Store) => Store;
  readonly begin: () => void;
  readonly end: () => void;
  /** How many calls met it. */
  readonly met: () => number;
}

const isStore = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.values(value).some((part) => typeof part === 'function');

/** Cuts stores off between the product and its adapter, as an adapter does whose server is away. */
export function createOutage(backend: Backend): Outage {
  let isOut = false;
  let met = 0;
  const over = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (object, key) => {
        const value: unknown = Reflect.get(object, key);
        if (isStore(value)) return over(value);
        if (typeof value !== 'function' || key === 'close') return value;
        return (...given: unknown[]): unknown => {
          if (isOut) {
            met += 1;
            return Promise.reject(new BackendUnavailable(backend));
          }
          const answer: unknown = Reflect.apply(value, object, given);
          return answer instanceof Promise ? answer.then((got) => (isStore(got) ? over(got) : got)) : answer;
        };
      },
    });
  return {
    over,
    begin: () => {
      isOut = true;
    },
    end: () => {
      isOut = false;
    },
    met: () => met,
  };
}
