/** A process that dies at one of its calls to the stores. */
export interface Mortal {
  /** The same store; from its death on no call succeeds any more. */
  readonly over: <Store extends object>(store: Store) => Store;
  readonly isDead: () => boolean;
}

const isStore = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.values(value).some((part) => typeof part === 'function');

/** Dies at that call, counted over all of its stores: before it was made, or when it was but nobody heard of it. */
export function createMortal(diesAtCall: number, when: 'before' | 'after'): Mortal {
  let calls = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Error('killed');
  };

  const over = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (object, key) => {
        const value: unknown = Reflect.get(object, key);
        if (isStore(value)) return over(value);
        // A subscription is no call that ends: the process dies in what it does with the events.
        if (typeof value !== 'function' || key === 'subscribe') return value;
        return async (...given: unknown[]): Promise<unknown> => {
          if (isDead) die();
          calls += 1;
          const isLast = calls === diesAtCall;
          if (isLast && when === 'before') die();
          const answer: unknown = await Reflect.apply(value, object, given);
          if (isLast) die();
          return isStore(answer) ? over(answer) : answer;
        };
      },
    });
  return { over, isDead: () => isDead };
}
