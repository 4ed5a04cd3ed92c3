import { cpSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { release } from '../../../src/domain/release/state.ts';
import type { SnapshotRecord } from '../../../src/records/snapshots.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { requestOf } from '../../spec/worlds/embedded-registry.ts';
import {
  itemOf,
  openRevisedRelease,
  type RevisedRelease,
  watchReads,
  webBaseUrl,
} from '../../spec/streams/revised-release.ts';

let world: RevisedRelease;
beforeEach(async () => {
  world = await openRevisedRelease();
});
afterEach(() => world.close());

const flipped = (sealed: string): string => {
  const bytes = Buffer.from(sealed, 'base64');
  bytes[bytes.length - 5]! ^= 1;
  return bytes.toString('base64');
};

const cases: { name: string; spoil: (record: SnapshotRecord, other: SnapshotRecord) => SnapshotRecord }[] = [
  { name: 'garbage', spoil: (record) => ({ ...record, sealed: 'what is this' }) },
  { name: 'empty', spoil: (record) => ({ ...record, sealed: '' }) },
  { name: 'plain', spoil: (record) => ({ ...record, sealed: JSON.stringify({ state: { status: 'absent' } }) }) },
  { name: 'damaged', spoil: (record) => ({ ...record, sealed: flipped(record.sealed) }) },
  { name: 'cut', spoil: (record) => ({ ...record, sealed: record.sealed.slice(0, 100) }) },
  { name: 'told to be later', spoil: (record) => ({ ...record, version: record.version + 1 }) },
  { name: 'told to be earlier', spoil: (record) => ({ ...record, version: record.version - 1 }) },
  { name: 'beyond the end', spoil: (record) => ({ ...record, version: 10_000 }) },
  { name: 'without a version', spoil: ({ id, sealed }) => ({ id, sealed }) as SnapshotRecord },
  { name: 'of another release', spoil: (record, other) => ({ ...other, id: record.id }) },
];

it('a snapshot that is not what it should be changes no answer', async () => {
  const { snapshots, sourceId, nextRequest, runners, ingest, releaseOf, stateOf, recordOf, replaceRecord } = world;
  const { id, summary } = await releaseOf(110);
  const { batches, commands } = runners();
  const twin = Array.from({ length: 100 }, (_, index) => ({ ...itemOf(`twin ${index}`), version: '2.0.0' }));
  const { results } = await batches.run(
    ingestReleases,
    { sourceId, items: twin, webBaseUrl },
    requestOf(nextRequest()),
  );
  await snapshots.settled();
  const other = (await recordOf(`release-${results[0]!.id}`))!;

  for (const { name, spoil } of cases) {
    const spoiled = spoil((await recordOf(`release-${id}`))!, other);
    const before = await stateOf(id);
    if (before.status !== 'indexed') throw new Error(`the release is ${before.status}`);
    await replaceRecord(spoiled);
    expect([name, (await ingest(summary)).result]).toEqual([name, 'unchanged']);
    await replaceRecord(spoiled);
    const input = { releaseId: id, changes: { titleShort: name }, webBaseUrl };
    const { state } = await commands.run(changeRelease, input, requestOf(nextRequest()));
    await snapshots.settled();
    const after = {
      revision: before.revision + 1,
      given: { ...before.given, titleShort: name },
      edits: { ...before.edits, titleShort: [null, null] }, // no fetch had told one
      enriched: [],
    };
    expect([name, state]).toEqual([name, { ...before, ...after }]);
    expect([name, await stateOf(id)]).toEqual([name, state]);
  }
});

it('a snapshot only makes more to read when it is old', async () => {
  const { ingest, revise, releaseOf, recordOf, replaceRecord } = world;
  const { id } = await releaseOf(60);
  const old = (await recordOf(`release-${id}`))!;
  const summary = await revise(140);
  await replaceRecord(old);
  expect((await ingest(summary)).result).toBe('unchanged');
  expect((await recordOf(`release-${id}`))?.version).toBe(200);
});

it('a snapshot is not used by another version of the fold', async () => {
  const { store, nextRequest, runners, releaseOf } = world;
  const { id } = await releaseOf(100);
  const renewed = { ...release, foldVersion: release.foldVersion + 1 };
  const { shown, most } = watchReads(store);
  const { commands } = runners({ store: shown });
  const input = { releaseId: id, changes: { titleShort: 'Short' }, webBaseUrl };
  await commands.run({ ...changeRelease, model: renewed }, input, requestOf(nextRequest()));
  expect(most()).toBeGreaterThan(100);
});

it('a snapshot is not used over other events than it was made of, as after a restored backup', async () => {
  const { folder, nextRequest, runners, ingest, revise, releaseOf, recordOf, replaceRecord } = world;
  const { id } = await releaseOf(99);
  const backup = createTempFolder();
  cpSync(folder.path, backup.path, { recursive: true });
  await revise(61);
  const lost = (await recordOf(`release-${id}`))!;
  expect(lost.version).toBeGreaterThan(120);
  const restored = openInThreadEventStore(backup.path);
  try {
    const used = runners({ store: restored });
    const summary = await revise(61, used);
    await replaceRecord(lost);
    expect((await ingest(summary, nextRequest(), used)).result).toBe('unchanged');
  } finally {
    await restored.close();
    backup.remove();
  }
});
