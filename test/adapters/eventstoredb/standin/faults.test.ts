import { NO_STREAM } from '@eventstore/db-client';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../spec/eventually.ts';
import type { StandinCommand } from '../../../standin/eventstoredb/standin-command.ts';
import { clientOf, collect, counted, numbersIn, plainPath } from '../../../standin/eventstoredb/standin-fixture.ts';
import { client, standin, stream, useFreshStream } from './fresh-stream.ts';

useFreshStream({ leavesClients: true });

/** Answers, however often the connection is found to have been cut before. */
const readNumbers = async (): Promise<number[]> => {
  let numbers: number[] | undefined;
  await eventually('the stream can be read', async () => {
    try {
      numbers = numbersIn(await collect(client.readStream(stream)));
    } catch (error) {
      const { type, code } = error as { type?: string; code?: number };
      if (type === 'stream-not-found') numbers = [];
      else if (type !== 'unavailable' && code !== 14) throw error;
    }
    return numbers !== undefined;
  });
  return numbers ?? [];
};
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { type?: string }) => error.type,
  );
const openCalls = async () => (await standin.stats()).openCalls;

describe('EventStoreDB stand-in, faults of append', () => {
  const method = 'append';
  afterEach(() => client.dispose());

  test('commit, then cut the connection: the repeat finds the first', async () => {
    await standin.control({ fault: 'commit-then-drop', method });
    const event = counted(1);
    const append = () => client.appendToStream(stream, event, { expectedRevision: NO_STREAM, ...plainPath });
    expect(await outcomeOf(append())).toBe('unavailable');
    expect(await readNumbers()).toEqual([1]);
    expect(await append()).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await readNumbers()).toEqual([1]);
  });

  test('cut the connection before the commit: nothing is stored', async () => {
    await standin.control({ fault: 'drop-before-commit', method });
    expect(await outcomeOf(client.appendToStream(stream, counted(1), plainPath))).toBe('unavailable');
    expect(await readNumbers()).toEqual([]);
    expect((await standin.stats()).appendsSeen).toBeGreaterThan(0);
  });

  test.each([
    { status: 'CANCELLED', type: 'cancelled' },
    { status: 'UNAVAILABLE', type: 'unavailable' },
    { status: 'ABORTED', type: 'timeout' },
  ] as const)('commit, then end the call with $status', async ({ status, type }) => {
    await standin.control({ fault: 'commit-then-drop', method, status });
    expect(await outcomeOf(client.appendToStream(stream, counted(1), plainPath))).toBe(type);
    expect(await readNumbers()).toEqual([1]);
  });

  test('hang: nothing is stored and nothing answered until the caller gives up', async () => {
    await standin.control({ fault: 'hang', method });
    const { appendsSeen } = await standin.stats();
    void outcomeOf(client.appendToStream(stream, counted(1), plainPath));
    await eventually('it has come', async () => (await standin.stats()).appendsSeen === appendsSeen + 1);
    expect((await openCalls())[method]).toBe(1);
    expect(await readNumbers()).toEqual([]);
  });
});

describe('EventStoreDB stand-in, other faults', () => {
  test.each(['read', 'delete', 'features'] as const)('hang: %s', async (method) => {
    await standin.control({ fault: 'hang', method });
    const deadline = { deadline: 300 };
    const work = {
      read: () => collect(client.readStream(stream)),
      delete: () => client.deleteStream(stream, deadline),
      features: () => client.appendToStream(stream, counted(1)),
    };
    const pending = outcomeOf(work[method]());
    await eventually('the call is open', async () => (await openCalls())[method] === 1);
    if (method === 'delete') expect(await pending).toBe('deadline-exceeded');
    else await standin.control({ command: 'drop-connections' });
    await eventually('the call is over', async () => (await openCalls())[method] === 0);
  });

  test('the features call fails', async () => {
    await standin.control({ fault: 'features-fail' });
    await expect(client.appendToStream(stream, counted(1))).rejects.toMatchObject({ code: 14 });
    await standin.control({ fault: 'features-fail', status: 'UNIMPLEMENTED' });
    const older = clientOf(standin);
    expect(await older.appendToStream(stream, counted(1))).toMatchObject({ success: true });
  });

  test('delete: committed or not, the connection is cut', async () => {
    await client.appendToStream(stream, counted(1), plainPath);
    await standin.control({ fault: 'drop-before-commit', method: 'delete' });
    expect(await outcomeOf(client.deleteStream(stream))).toBe('unavailable');
    expect(await readNumbers()).toEqual([1]);
    await standin.control({ fault: 'commit-then-drop', method: 'delete' });
    expect(await outcomeOf(client.deleteStream(stream))).toBe('unavailable');
    expect(await readNumbers()).toEqual([]);
  });

  test('armed faults last for the asked number of calls, or until they are cleared', async () => {
    const fault: StandinCommand = { fault: 'drop-before-commit', method: 'append', status: 'ABORTED', times: 2 };
    const append = () => outcomeOf(client.appendToStream(stream, counted(1), plainPath));
    await standin.control(fault);
    expect([await append(), await append(), await append()]).toEqual(['timeout', 'timeout', 'done']);
    await standin.control(fault);
    await standin.control({ command: 'clear' });
    expect(await append()).toBe('done');
  });
});

describe('EventStoreDB stand-in, faults of subscriptions', () => {
  const endings = [
    { status: 'CANCELLED', end: 'cancelled' },
    { status: 'UNAVAILABLE', end: 'unavailable' },
    { status: 'ABORTED', end: 'timeout' },
    { status: 'OK', end: 'end' },
  ] as const;
  const follow = (): (number | string)[] => {
    const seen: (number | string)[] = [];
    client
      .subscribeToStream(stream)
      .on('error', (error) => seen.push('type' in error ? String(error.type) : error.message))
      .on('end', () => seen.push('end'))
      .on('data', (event) => seen.push(...numbersIn([event])));
    return seen;
  };

  test.each(endings)('end with $status after some events', async ({ status, end }) => {
    await client.appendToStream(stream, [counted(1), counted(2), counted(3)], plainPath);
    await standin.control({ fault: 'end-subscriptions', status, afterEvents: 2 });
    const seen = follow();
    await eventually('it has ended', () => seen.includes(end));
    expect((await standin.stats()).subscriptions.at(-1)).toMatchObject({ stream, eventsWritten: 2, open: false });
  });

  test.each(endings)('all open ones end at once with $status', async ({ status, end }) => {
    await client.appendToStream(stream, counted(1), plainPath);
    const seen = follow();
    await eventually('it is live', () => seen.includes(1));
    await standin.control({ fault: 'end-subscriptions', status });
    await eventually('it has ended', () => seen.includes(end));
    expect((await openCalls()).subscribe).toBe(0);
  });

  test('a cut connection ends them', async () => {
    await client.appendToStream(stream, counted(1), plainPath);
    const seen = follow();
    await eventually('it is live', () => seen.includes(1));
    await standin.control({ command: 'drop-connections' });
    await eventually('it has ended', () => seen.includes('unavailable'));
    expect(await readNumbers()).toEqual([1]);
  });

  test('hang: not even confirmed', async () => {
    await standin.control({ fault: 'hang', method: 'subscribe' });
    const seen = follow();
    await eventually('the call is open', async () => (await openCalls()).subscribe === 1);
    expect(seen).toEqual([]);
    await standin.control({ command: 'drop-connections' });
    await eventually('it has ended', () => seen.length > 0);
  });
});
