import type { OperationalStore } from '../../src/ports/operational-store.ts';

/** Before and after every call that writes; from the given step on none reaches its store any more, as after a kill. */
export function mortalSteps(dieAt: number) {
  let count = 0;
  const step = async (): Promise<void> => {
    count += 1;
    if (count >= dieAt) throw new Error('killed');
  };
  const gated =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await step();
      const result = await call(...args);
      await step();
      return result;
    };
  const gatedOps = ({ leases, ...ops }: OperationalStore): OperationalStore => ({
    ...ops,
    transact: gated(ops.transact),
    leases: { acquire: gated(leases.acquire), renew: gated(leases.renew), release: gated(leases.release) },
  });
  return { step, gatedOps, count: () => count };
}
