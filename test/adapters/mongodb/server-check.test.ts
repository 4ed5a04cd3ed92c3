import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { checkServer } from '../../../src/adapters/mongodb/server-check.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { startTcpProxy } from '../../spec/servers/tcp-proxy.ts';

const client = new MongoClient('mongodb://db.example:27017/?replicaSet=rs0');
const expected = client.options;

describe('the answer of a server', () => {
  it.each([
    [
      'no set',
      { maxWireVersion: 17 },
      /db\.example:27017 is not a member of a replica set.*--replSet rs0.*rs\.initiate/,
    ],
    ['a set that was not initiated', { maxWireVersion: 17, isreplicaset: true }, /not initiated.*rs\.initiate\(\)/],
    ['another set', { maxWireVersion: 17, setName: 'rs1' }, /replica set rs1.*names rs0/],
    ['a router', { maxWireVersion: 17, msg: 'isdbgrid' }, /sharded/],
    ['an old version', { maxWireVersion: 9, setName: 'rs0' }, /5\.0/],
  ])('tells of %s, and what to do', (_, hello, sentence) => {
    expect(() => checkServer(hello, expected)).toThrow(StartupError);
    expect(() => checkServer(hello, expected)).toThrow(sentence);
  });

  it('is taken when it is a member of the named set', () => {
    expect(() => checkServer({ maxWireVersion: 17, setName: 'rs0' }, expected)).not.toThrow();
  });
});

const binary = process.env['MONGOD_BINARY_FOR_TESTS'] ?? '';
if (binary === '') {
  process.stderr.write(
    '\nSKIPPED: servers that are no replica set, because MONGOD_BINARY_FOR_TESTS is not set. ' +
      'To run them: `ops/stack/up`, then `eval "$(ops/stack/env)"`.\n',
  );
}

const freePort = async (): Promise<number> => {
  const held = await startTcpProxy({ host: '127.0.0.1', port: 9 });
  await held.close();
  return held.port;
};

describe.skipIf(binary === '')('a server of its own', () => {
  let end: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await end?.();
    end = undefined;
  });

  const startServer = async (args: readonly string[]): Promise<string> => {
    const folder = createTempFolder();
    const port = await freePort();
    const options = ['--dbpath', folder.path, '--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
    const server = spawn(binary, [...options, ...args], { stdio: 'ignore' });
    end = async () => {
      if (server.exitCode === null) {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
      folder.remove();
    };
    const asked = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 30_000,
    });
    await asked.db('admin').command({ hello: 1 });
    await asked.close();
    return `127.0.0.1:${port}`;
  };

  it.each(['', '?replicaSet=rs0', '?directConnection=true'])('alone is a start-up error: %s', async (search) => {
    const host = await startServer([]);
    const opening = openMongo({ url: `mongodb://${host}/registry${search}`, appName: 'test' });
    await expect(opening).rejects.toThrow(/is not a member of a replica set.*--replSet/);
  });

  it('of a set that was not initiated is a start-up error', async () => {
    const host = await startServer(['--replSet', 'rs0']);
    const opening = openMongo({ url: `mongodb://${host}/registry?replicaSet=rs0`, appName: 'test' });
    await expect(opening).rejects.toThrow(/not initiated/);
  });
});
