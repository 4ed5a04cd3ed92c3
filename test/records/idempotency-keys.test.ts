import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { createIdempotencyKeys, type IdempotencyKeys, type KeyOutcome } from '../../src/records/idempotency-keys.ts';
import { createSeal } from '../../src/records/seal.ts';
import { eventually } from '../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;
let clock: FakeClock;
let ops: OperationalStore;
let keys: IdempotencyKeys;
let writes: number;

beforeEach(async () => {
  folder = createTempFolder();
  clock = createFakeClock();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
  writes = 0;
  const counted: OperationalStore = {
    ...ops,
    transact: (...given) => ops.transact(...given).finally(() => (writes += 1)),
  };
  const seal = createSeal(new Uint8Array(32).fill(7), systemRandom);
  keys = await createIdempotencyKeys({ ops: counted, clock, ids: systemIds, seal, log: createKeptLog() });
});

afterEach(async () => {
  await ops.close();
  folder.remove();
});

const request = {
  key: 'key-number-1',
  callerName: 'root',
  method: 'POST',
  path: '/v1/orgs',
  query: '',
  body: Buffer.from('{"name":"Acme"}'),
};
const answer = { status: 201, headers: { location: '/v1/orgs/acme' }, body: '{"id":1}', releaseId: null };

const claimOf = (outcome: KeyOutcome) => {
  if (outcome.kind !== 'run') throw new Error('it was run before');
  return outcome.claim;
};

describe('an idempotency key', () => {
  it('gives a repeat the first answer, and runs nothing', async () => {
    await claimOf(await keys.begin(request)).finish(answer);
    expect(await keys.begin(request)).toEqual({ kind: 'replay', answer });
  });

  it.each([
    { what: 'body', other: { body: Buffer.from('{"name":"Other"}') } },
    { what: 'query', other: { query: 'dryRun=1' } },
    { what: 'method', other: { method: 'PUT' } },
  ])('is refused with another $what, before and after the answer', async ({ other }) => {
    const claim = claimOf(await keys.begin(request));
    await expect(keys.begin({ ...request, ...other })).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await claim.finish(answer);
    await expect(keys.begin({ ...request, ...other })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('means nothing to another caller', async () => {
    await claimOf(await keys.begin(request)).finish(answer);
    expect(await keys.begin({ ...request, callerName: 'tok_another' })).toMatchObject({ kind: 'run' });
  });

  it('is held for as long as the first request runs', async () => {
    const claim = claimOf(await keys.begin(request));
    for (let round = 0; round < 5; round += 1) {
      const before = writes;
      clock.advance(10_000);
      await eventually('it was renewed', () => writes > before);
      await expect(keys.begin(request)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    }
    await claim.finish(answer);
    expect(await keys.begin(request)).toEqual({ kind: 'replay', answer });
  });

  it('runs the same command again after a try that had no answer', async () => {
    const first = claimOf(await keys.begin(request));
    await first.finish(null);
    const second = claimOf(await keys.begin(request));
    expect(second.commandId).toBe(first.commandId);
    await second.finish(answer);
  });
});
