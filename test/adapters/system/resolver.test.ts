import type { LookupAddress } from 'node:dns';
import { expect, it } from 'vitest';
import { createResolver, systemResolver } from '../../../src/adapters/system/resolver.ts';

type Done = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void;

const coded = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/** A system that answers when it is told. */
const heldLookup = () => {
  const asked: { name: string; options: object; done: Done }[] = [];
  return { asked, lookup: (name: string, options: object, done: Done) => void asked.push({ name, options, done }) };
};

it('knows this machine, and that nothing is under .invalid', async () => {
  const own = await systemResolver.addresses('localhost');
  expect(own.length).toBeGreaterThan(0);
  expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining([...own]));
  expect(await systemResolver.addresses('nothing.invalid')).toEqual([]);
  expect(await systemResolver.addresses(`${'a'.repeat(300)}.invalid`)).toEqual([]);
});

it('gives all addresses, of both families, in the order of the system', async () => {
  const { asked, lookup } = heldLookup();
  const answer = createResolver({ lookup }).addresses('example.com');
  expect(asked).toMatchObject([{ name: 'example.com', options: { all: true, verbatim: true } }]);
  asked[0]?.done(null, [
    { address: '2001:db8::1', family: 6 },
    { address: '192.0.2.1', family: 4 },
  ]);
  expect(await answer).toEqual(['2001:db8::1', '192.0.2.1']);
});

it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EINVAL'])('%s is no address', async (code) => {
  const { asked, lookup } = heldLookup();
  const answer = createResolver({ lookup }).addresses('example.com');
  asked[0]?.done(coded(code), []);
  expect(await answer).toEqual([]);
});

it('a fault of this machine is none of the name', async () => {
  const { asked, lookup } = heldLookup();
  const answer = createResolver({ lookup }).addresses('example.com');
  asked[0]?.done(coded('EAI_MEMORY'), []);
  await expect(answer).rejects.toThrow('EAI_MEMORY');
});

it('who hangs has no address, is asked once, and again after it has answered', async () => {
  const { asked, lookup } = heldLookup();
  const { addresses } = createResolver({ lookup, timeoutMs: 10 });
  expect(await Promise.all([addresses('example.com'), addresses('example.com')])).toEqual([[], []]);
  expect(await addresses('example.com')).toEqual([]);
  expect(asked.length).toBe(1);
  asked[0]?.done(coded('EAI_AGAIN'), []);
  const answer = addresses('example.com');
  expect(asked.length).toBe(2);
  asked[1]?.done(null, [{ address: '192.0.2.1', family: 4 }]);
  expect(await answer).toEqual(['192.0.2.1']);
});
