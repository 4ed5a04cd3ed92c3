import { expect, it } from 'vitest';
import { createSettler } from '../../../src/runtime/searching/settler.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';

const start = (settle: () => Promise<void>) => {
  const clock = createFakeClock();
  const over = new AbortController();
  const settler = createSettler({ settle }, clock);
  const kept = settler.keep(over.signal);
  const stop = async () => {
    over.abort();
    await kept;
  };
  return { clock, settler, kept, stop };
};

it('settles at once after a quiet time, and then all that a second brings together', async () => {
  let settled = 0;
  const { clock, settler, stop } = start(async () => void (settled += 1));
  await settler.written();
  expect(settled).toBe(1);
  for (let number = 0; number < 5; number += 1) await settler.written();
  expect(settled).toBe(1);
  clock.advance(1_000);
  await eventually('the rest is settled', () => settled === 2);
  clock.advance(5_000);
  expect(settled).toBe(2); // nothing was written since
  await stop();
});

it('leaves nothing that was written while it settled', async () => {
  let settled = 0;
  let writeMore = async () => {};
  const { clock, settler, stop } = start(async () => {
    settled += 1;
    await writeMore();
  });
  writeMore = async () => {
    writeMore = async () => {};
    await settler.written();
  };
  await settler.written();
  expect(settled).toBe(1);
  clock.advance(1_000);
  await eventually('that is settled, too', () => settled === 2);
  await stop();
});

it('ends with the failure of a server, for the work to be begun anew', async () => {
  let isAway = false;
  const { clock, settler, kept } = start(async () => {
    if (isAway) throw new Error('away');
  });
  await settler.written();
  isAway = true;
  await settler.written();
  const ended = expect(kept).rejects.toThrow('away');
  clock.advance(1_000);
  await ended;
});
