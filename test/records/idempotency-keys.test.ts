import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import type { Document } from '../../src/kernel/projection.ts';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import type { CollectionDeclaration, OperationalStore } from '../../src/ports/operational-store.ts';
import { createIdempotencyKeys, type IdempotencyKeys, type KeyOutcome } from '../../src/records/idempotency-keys.ts';
import { createSeal } from '../../src/records/secrets/seal.ts';
import { eventually } from '../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

/** A process with a clock of its own, which stands still when the process does. */
interface TestProcess {
  readonly keys: IdempotencyKeys;
  readonly clock: FakeClock;
  /** Signs of life that it has given. */
  readonly signs: () => number;
}

let folder: TempFolder;
let storeClock: FakeClock;
let ops: OperationalStore;

beforeEach(async () => {
  folder = createTempFolder();
  storeClock = createFakeClock();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: storeClock, onFatal });
});

afterEach(async () => {
  await ops.close();
  folder.remove();
});

async function startProcess(isAway = () => false, isSilent = () => false): Promise<TestProcess> {
  let signs = 0;
  const clock = createFakeClock();
  const leases: OperationalStore['leases'] = {
    ...ops.leases,
    acquire: (...given) => ops.leases.acquire(...given).finally(() => (signs += 1)),
    renew: (...given) => ops.leases.renew(...given).finally(() => (signs += 1)),
  };
  const seal = createSeal(new Uint8Array(32).fill(7), systemRandom);
  const transact: OperationalStore['transact'] = async (...given) => {
    if (isAway()) throw new BackendUnavailable('MongoDB');
    return ops.transact(...given);
  };
  const collection: OperationalStore['collection'] = async <D extends Document>(declaration: CollectionDeclaration) => {
    const found = await ops.collection<D>(declaration);
    const get: typeof found.get = async (id) => {
      if (isSilent()) throw new BackendUnavailable('MongoDB');
      return found.get(id);
    };
    return { ...found, get };
  };
  const deps = { ops: { ...ops, leases, transact, collection }, clock, ids: systemIds, seal, log: createKeptLog() };
  return { keys: await createIdempotencyKeys(deps), clock, signs: () => signs };
}

/** Time passes for the store, and for those processes that run. */
async function pass(ms: number, ...running: readonly TestProcess[]): Promise<void> {
  storeClock.advance(ms);
  for (const { clock, signs } of running) {
    const before = signs();
    clock.advance(ms);
    await eventually('a sign of life', () => signs() > before);
  }
}

const request = {
  key: 'key-number-1',
  callerName: 'root',
  method: 'POST',
  path: '/v1/orgs',
  query: '',
  body: Buffer.from('{"name":"Acme"}'),
};
const answer = { status: 201, headers: { location: '/v1/orgs/acme' }, body: '{"id":1}', releaseIds: [] };
const otherAnswer = { ...answer, body: '{"id":1,"second":true}' };
const inProgress = { code: 'idempotency_in_progress' };

const claimOf = (outcome: KeyOutcome) => {
  if (outcome.kind !== 'run') throw new Error('it was run before');
  return outcome.claim;
};

describe('an idempotency key', () => {
  it('gives a repeat the first answer, and runs nothing', async () => {
    const { keys } = await startProcess();
    await claimOf(await keys.begin(request)).finish(answer);
    expect(await keys.begin(request)).toEqual({ kind: 'replay', answer });
  });

  it.each([
    { what: 'body', other: { body: Buffer.from('{"name":"Other"}') } },
    { what: 'query', other: { query: 'dryRun=1' } },
    { what: 'method', other: { method: 'PUT' } },
  ])('is refused with another $what, before and after the answer', async ({ other }) => {
    const { keys } = await startProcess();
    const claim = claimOf(await keys.begin(request));
    await expect(keys.begin({ ...request, ...other })).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await claim.finish(answer);
    await expect(keys.begin({ ...request, ...other })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('means nothing to another caller', async () => {
    const { keys } = await startProcess();
    await claimOf(await keys.begin(request)).finish(answer);
    expect(await keys.begin({ ...request, callerName: 'tok_another' })).toMatchObject({ kind: 'run' });
  });

  it('runs the same command again after a try that had no answer', async () => {
    const { keys } = await startProcess();
    const first = claimOf(await keys.begin(request));
    await first.finish(null);
    const second = claimOf(await keys.begin(request));
    expect(second.commandId).toBe(first.commandId);
    await second.finish(answer);
  });

  it('belongs to the repeat when the first try could not begin', async () => {
    let [isUp, reads] = [true, 0];
    const goDown = (): boolean => {
      if (reads === 1) isUp = false;
      return !isUp;
    };
    const read = () => {
      reads += 1;
      return !isUp;
    };
    const { keys, clock } = await startProcess(goDown, read);
    await expect(keys.begin(request)).rejects.toMatchObject({ code: 'idempotency_unavailable' });
    await eventually('the first try asks for its claim', () => reads === 2);
    isUp = true;
    const repeat = claimOf(await keys.begin(request));
    const readsBefore = reads;
    clock.advance(1_000);
    await eventually('the first try asks again', () => reads > readsBefore);
    expect(await repeat.finish(answer)).toBeNull();
    expect(await keys.begin(request)).toEqual({ kind: 'replay', answer });
  });

  it('asked for by many at once is given to one', async () => {
    const { keys } = await startProcess();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => keys.begin(request)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(keys.begin(request)).rejects.toMatchObject(inProgress);
  });
});

describe('while the first request runs, for however long', () => {
  it('its key is held against the same process and others', async () => {
    const first = await startProcess();
    const second = await startProcess();
    const claim = claimOf(await first.keys.begin(request));
    for (let round = 0; round < 5; round += 1) {
      await pass(1_000, first);
      await expect(second.keys.begin(request)).rejects.toMatchObject(inProgress);
    }
    await expect(first.keys.begin(request)).rejects.toMatchObject(inProgress);
    expect(await claim.finish(answer)).toBeNull();
    expect(await second.keys.begin(request)).toEqual({ kind: 'replay', answer });
  });
});

describe('when the process of the first request is dead', () => {
  it('another one runs its command again after a second and a half', async () => {
    const first = await startProcess();
    const second = await startProcess();
    const { commandId } = claimOf(await first.keys.begin(request));
    await pass(1_400);
    await expect(second.keys.begin(request)).rejects.toMatchObject(inProgress);
    await pass(101);
    const claim = claimOf(await second.keys.begin(request));
    expect(claim.commandId).toBe(commandId);
    await claim.finish(answer);
    expect(await second.keys.begin(request)).toEqual({ kind: 'replay', answer });
  });
});

describe('when the process of the first request was only slow', () => {
  it('it answers what the one that took over has kept', async () => {
    const slow = await startProcess();
    const other = await startProcess();
    const slowClaim = claimOf(await slow.keys.begin(request));
    await pass(2_000);
    const otherClaim = claimOf(await other.keys.begin(request));
    await expect(slowClaim.finish(answer)).rejects.toMatchObject(inProgress);
    expect(await otherClaim.finish(otherAnswer)).toBeNull();
    expect(await slow.keys.begin(request)).toEqual({ kind: 'replay', answer: otherAnswer });
  });

  it('also when that one is done already', async () => {
    const slow = await startProcess();
    const other = await startProcess();
    const slowClaim = claimOf(await slow.keys.begin(request));
    await pass(2_000);
    await claimOf(await other.keys.begin(request)).finish(otherAnswer);
    expect(await slowClaim.finish(answer)).toEqual(otherAnswer);
  });

  it('it gives the key free after an outage at its end, however busy it is with others', async () => {
    let isAway = false;
    const first = await startProcess(() => isAway);
    const second = await startProcess();
    const claim = claimOf(await first.keys.begin(request));
    claimOf(await first.keys.begin({ ...request, key: 'key-number-2' }));
    isAway = true;
    await expect(claim.finish(answer)).rejects.toThrow(BackendUnavailable);
    await expect(second.keys.begin(request)).rejects.toMatchObject(inProgress);
    isAway = false;
    await eventually('another one runs it again', async () => {
      first.clock.advance(1_000);
      try {
        return claimOf(await second.keys.begin(request)).commandId === claim.commandId;
      } catch (error) {
        expect(error).toMatchObject(inProgress);
        return false;
      }
    });
  });

  it('it is seen again as soon as it moves', async () => {
    const slow = await startProcess();
    const other = await startProcess();
    await slow.keys.begin(request);
    await pass(2_000);
    await other.keys.begin(request);
    await slow.keys.begin({ ...request, key: 'key-number-2' });
    await pass(500, slow);
    await expect(other.keys.begin({ ...request, key: 'key-number-2' })).rejects.toMatchObject(inProgress);
  });
});
