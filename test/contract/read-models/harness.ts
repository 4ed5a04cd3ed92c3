import { type Change, type KeyValue, put } from '../../../src/kernel/projection.ts';
import type { Lease } from '../../../src/ports/leases.ts';
import type {
  OpenOptions,
  PositionedChange,
  ReadModel,
  ReadModels,
  WriteOutcome,
} from '../../../src/ports/read-models.ts';

export interface ReadModelsHarness {
  /** Over an empty back end. */
  readonly make: () => Promise<ReadModels>;
  /** Two over one empty back end. */
  readonly makeTwoOnOneBackend: () => Promise<[ReadModels, ReadModels]>;
  /** Until what was written can be seen by every reader. */
  readonly settle: () => Promise<void>;
  /** Cuts what lies between the adapter and its store; answers the one to go on with. */
  readonly interrupt: (models: ReadModels) => Promise<ReadModels>;
  /** Lets time pass by the store's clock. */
  readonly passTime: (ms: number) => Promise<void>;
  /** Closes all that was made and forgets its data; the harness can be used again. */
  readonly close: () => Promise<void>;
}

export interface Thing {
  readonly id: string;
  readonly group: KeyValue;
  readonly lane: KeyValue;
  readonly rank: KeyValue;
  readonly note?: unknown;
}

export const thingIndexes = {
  byGroup: ['group', 'rank'],
  byLane: ['group', 'lane', 'rank'],
  byRank: ['rank'],
} as const;

export const thing = (id: string, fields: Partial<Thing> = {}): Thing => ({
  group: 'g',
  lane: 'l',
  rank: null,
  ...fields,
  id,
});

/** One generation with a lease on it. */
export interface OpenThings {
  readonly model: ReadModel<Thing>;
  readonly lease: Lease;
  /** Each change at the position; the checkpoint too. */
  readonly write: (position: number, ...changes: readonly Change<Thing>[]) => Promise<WriteOutcome>;
  readonly putAll: (position: number, things: readonly Thing[]) => Promise<WriteOutcome>;
  readonly ids: () => Promise<string[]>;
}

export const at = (position: number, change: Change<Thing>): PositionedChange<Thing> => ({ ...change, position });

export const openThings = async (
  models: ReadModels,
  { generation = 1, ...options }: OpenOptions & { readonly generation?: number } = {},
): Promise<OpenThings> => {
  const model = await models.open<Thing>({ name: 'things', generation, indexes: thingIndexes }, options);
  const lease = await model.leases.acquire('feed', 'suite', 600_000);
  if (!lease) throw new Error('the lease of a suite is taken');
  const write: OpenThings['write'] = (position, ...changes) =>
    model.write({ changes: changes.map((change) => at(position, change)), position, lease });
  return {
    model,
    lease,
    write,
    putAll: (position, things) => write(position, ...things.map((doc) => put(doc))),
    ids: async () => (await model.scan('', 10_000)).map(({ doc }) => doc.id),
  };
};
