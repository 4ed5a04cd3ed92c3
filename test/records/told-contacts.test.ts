import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { createEmbeddedTimes } from '../../src/records/embedded-times.ts';
import { createSourceContacts } from '../../src/records/source-contacts.ts';
import { contactTag, tellContacts } from '../../src/records/told-contacts.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const clock = createFakeClock();
let folder: TempFolder;
let ops: OperationalStore;
/** What was written and what was told, in the order in which it happened. */
let happened: string[];

beforeEach(async () => {
  folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
  happened = [];
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

const told = (transact: OperationalStore['transact']): OperationalStore =>
  tellContacts({ ...ops, transact }, (tags) => void happened.push(...tags));

const noted: OperationalStore['transact'] = async (changes, lease) => {
  const outcome = await ops.transact(changes, lease);
  happened.push(outcome);
  return outcome;
};

it('a contact is told of once it can be read, by its source alone', async () => {
  await (await createSourceContacts(told(noted), clock)).recordIngest('src_a', 1);
  await (await createEmbeddedTimes(told(noted))).record(['src_b', 'src_c'], 1);
  const tags = ['src_a', 'src_b', 'src_c'].map(contactTag);
  expect(happened).toEqual(['written', tags[0], 'written', tags[1], tags[2]]);
});

it('a contact that may have been written is told of, too', async () => {
  const lost: OperationalStore['transact'] = async (changes) => {
    await ops.transact(changes);
    throw new Error('the connection broke');
  };
  const contacts = await createSourceContacts(told(lost), clock);
  await expect(contacts.recordIngest('src_a', 1)).rejects.toThrow('the connection broke');
  expect(happened).toEqual([contactTag('src_a')]);
});

it('what is no contact is not told of', async () => {
  await ops.collection({ name: 'others', indexes: {} });
  await told(noted).transact([{ kind: 'put', collection: 'others', doc: { id: 'src_a' } }]);
  expect(happened).toEqual(['written']);
});
