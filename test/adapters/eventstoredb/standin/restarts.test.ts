import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../spec/eventually.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';
import {
  clientOf,
  collect,
  counted,
  newStreamName,
  numbersIn,
  plainPath,
  scavenge,
} from '../../../standin/eventstoredb/standin-fixture.ts';
import { type Standin, startStandin } from '../../../standin/eventstoredb/standin-process.ts';

let folder: TempFolder;
let dataFile: string;
let standin: Standin;
beforeEach(async () => {
  folder = createTempFolder();
  dataFile = join(folder.path, 'journal');
  standin = await startStandin({ dataFile });
});
afterEach(async () => {
  await standin.close();
  folder.remove();
});

/** A restarted server is found again only when the client has noticed that its connection is gone. */
const reconnect = async (): Promise<EventStoreDBClient> => {
  const client = clientOf(standin);
  await eventually('the stand-in answers', async () => {
    try {
      await collect(client.readAll({ maxCount: 1 }));
      return true;
    } catch (error) {
      if ((error as { code?: number }).code !== 14) throw error;
      return false;
    }
  });
  return client;
};
const everything = async (client: EventStoreDBClient): Promise<unknown[]> =>
  (await collect(client.readAll())).map(({ event }) => event);

describe('EventStoreDB stand-in, restarts', () => {
  test('a killed one comes back on its port with every answered append, deletes and metadata', async () => {
    const client = clientOf(standin);
    const [kept, truncated, deleted, dead] = [newStreamName(), newStreamName(), newStreamName(), newStreamName()];
    const events = [counted(1), counted(2)];
    const first = await client.appendToStream(kept, events, { expectedRevision: NO_STREAM, ...plainPath });
    for (const stream of [truncated, deleted, dead]) await client.appendToStream(stream, [counted(3), counted(4)]);
    await client.setStreamMetadata(truncated, { truncateBefore: 1 });
    await client.deleteStream(deleted);
    await client.tombstoneStream(dead);
    await scavenge(standin);
    const before = await everything(client);

    await standin.restart();
    const again = await reconnect();
    expect(await everything(again)).toEqual(before);
    expect(numbersIn(await collect(again.readStream(truncated)))).toEqual([4]);
    await expect(collect(again.readStream(deleted))).rejects.toMatchObject({ type: 'stream-not-found' });
    await expect(collect(again.readStream(dead))).rejects.toMatchObject({ type: 'stream-deleted' });
    const repeat = await again.appendToStream(kept, events, { expectedRevision: NO_STREAM, ...plainPath });
    expect(repeat).toEqual(first);
  });

  test('what a kill left half written was never there', async () => {
    const stream = newStreamName();
    await clientOf(standin).appendToStream(stream, counted(1), plainPath);
    await standin.kill();
    appendFileSync(dataFile, '{"events":[{"id":"');
    await standin.restart();
    const client = await reconnect();
    expect(numbersIn(await collect(client.readStream(stream)))).toEqual([1]);
    await client.appendToStream(stream, counted(2), { expectedRevision: 0n, ...plainPath });
    await standin.restart();
    expect(numbersIn(await collect((await reconnect()).readStream(stream)))).toEqual([1, 2]);
  });

  test('ids are forgotten where no revision is expected', async () => {
    const stream = newStreamName();
    const event = counted(1);
    await clientOf(standin).appendToStream(stream, event, plainPath);
    await standin.restart();
    const client = await reconnect();
    await client.appendToStream(stream, event, plainPath);
    expect(numbersIn(await collect(client.readStream(stream)))).toEqual([1, 1]);
  });

  test('a reset empties the store for good', async () => {
    await clientOf(standin).appendToStream(newStreamName(), counted(1), plainPath);
    await standin.control({ command: 'reset' });
    await standin.restart();
    expect(numbersIn(await collect((await reconnect()).readAll()))).toEqual([]);
  });

  test('a frozen one answers nothing until it is thawed', async () => {
    const client = clientOf(standin);
    const stream = newStreamName();
    await client.appendToStream(stream, counted(1), plainPath);
    standin.freeze();
    const frozen = client.appendToStream(stream, counted(2), { deadline: 200, ...plainPath });
    await expect(frozen).rejects.toMatchObject({ type: 'deadline-exceeded' });
    standin.thaw();
    await client.appendToStream(stream, counted(3), plainPath);
    expect(numbersIn(await collect(client.readStream(stream)))).toContain(3);
  });
});

describe('EventStoreDB stand-in, its process', () => {
  test('ends with the process that started it', async () => {
    const module = new URL('../../../standin/eventstoredb/standin-process.ts', import.meta.url);
    const script = `const { startStandin } = await import('${module.href}');
      const standin = await startStandin();
      console.log(standin.port);
      process.kill(process.pid, 'SIGKILL');`;
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(parent.stdout, 'data')) as [Buffer];
    const isListening = async (): Promise<boolean> => {
      const socket = connect(Number(String(port)), '127.0.0.1');
      const connected = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      socket.destroy();
      return connected;
    };
    await eventually('nobody listens any more', async () => !(await isListening()));
  });
});
