import { describe, expect, it } from 'vitest';
import { createEventStoreDbEventStore } from '../../../src/adapters/eventstoredb/event-store.ts';
import { readConnectionString } from '../../../src/adapters/eventstoredb/connection-string.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { contractCodec } from '../../contract/event-store/harness.ts';

const open = (url: string) =>
  createEventStoreDbEventStore({ url, codec: contractCodec, clock: systemClock, random: systemRandom });

describe('EventStoreDB connection string', () => {
  it.each([
    ['esdb://host:2113', undefined, true],
    ['esdb://host:2113/?tls=false&nodePreference=leader', undefined, false],
    ['esdb://admin:change%40it@host:2113?tls=true', { username: 'admin', password: 'change@it' }, true],
    ['esdb+discover://u:p@one,two?TLS=false&keep-alive-interval=10000', { username: 'u', password: 'p' }, false],
  ])('is read as the client reads it: %s', (url, credentials, tls) => {
    expect(readConnectionString(url, 1000)).toMatchObject({ credentials, tls });
  });

  it.each([
    ['esdb://host:2113?tls=false', false],
    ['esdb://u,v:p,q@host:2113?connectionName=a,b', false],
    ['esdb://one:2113,two:2113?tls=false', true],
    ['esdb+discover://cluster?tls=false', true],
  ])('names one server or a cluster: %s', (url, isCluster) => {
    expect(readConnectionString(url, 1000)).toMatchObject({ isCluster });
  });

  it('opens no connection by itself', async () => {
    const urls = ['esdb://h:1?tls=false', 'esdb://h:1/?tls=false', 'esdb://u:p@h:1', 'esdb+discover://u:p@a:1,b:2?'];
    for (const url of urls) await (await open(url)).close();
  });

  it('needs a user when credentials are what keeps appends from being batched', async () => {
    await expect(open('esdb://host:2113?tls=true')).rejects.toThrow('needs a user');
  });

  it.each([
    'http://admin:secret@host',
    'esdb://admin:secret@host:port',
    'esdb://admin:secret@host?tls=perhaps',
    'esdb://admin:secret@host?speed=high',
    'esdb://admin:secret@host?tlsVerifyCert=false',
    'esdb://admin:secret@host?nodePreference=best',
    'esdb://admin:secret@host?nodePreference=follower',
    'esdb://admin:secret@host?tlsCAFile=absent.pem',
  ])('is refused without telling the password: %s', async (url) => {
    const error = await open(url).then(String, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain('secret');
  });
});
