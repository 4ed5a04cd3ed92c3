import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { hasNativeMongo } from '../spec/servers/native-mongodb.ts';
import { realServer } from '../spec/servers/real-servers.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { kafkaApiKeys } from './kafka-api-keys.ts';

const mongodbUrl = realServer('mongodb');
const kafkaBrokers = realServer('kafka');
const opensearchUrl = realServer('opensearch');

describe.skipIf(mongodbUrl === null)('mongodb', () => {
  it('is a replica set, and can be written to', async () => {
    const client = new MongoClient(mongodbUrl ?? '');
    try {
      const hello = await client.db('admin').command({ hello: 1 });
      expect(hello).toMatchObject({ setName: 'rs0', isWritablePrimary: true });
    } finally {
      await client.close();
    }
  });
});

describe.skipIf(kafkaBrokers === null)('kafka', () => {
  it('speaks the protocol, as every broker of the list', async () => {
    const [produce, fetch, createTopics] = [0, 1, 19];
    for (const broker of (kafkaBrokers ?? '').split(',')) {
      expect(await kafkaApiKeys(broker)).toEqual(expect.arrayContaining([produce, fetch, createTopics]));
    }
  });
});

describe.skipIf(opensearchUrl === null)('opensearch', () => {
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${opensearchUrl}${path}`);
    expect(response.status).toBe(200);
    return response.json();
  };

  it('is healthy', async () => {
    const { status } = (await ask('/_cluster/health')) as { status: string };
    expect(['green', 'yellow']).toContain(status);
  });

  it('can search by vectors, and by words and vectors at once', async () => {
    const plugins = (await ask('/_cat/plugins?format=json')) as { component: string }[];
    expect(plugins.map(({ component }) => component)).toEqual(
      expect.arrayContaining(['opensearch-knn', 'opensearch-neural-search']),
    );
  });
});

const root = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

describe.skipIf(process.platform !== 'linux')('the start of a server', () => {
  /** A server that runs for a second; a few of the looks at its command line fall between two programs. */
  const script = (isReady: string, missedLooks: string): string => `
    source '${root('ops/stack/lib.sh')}'
    describe_server brief 1 somewhere 1
    looks=0
    check_machine() { :; }
    fetch() { :; }
    launch() { run_detached sleep 1; }
    is_running() { [[ ' ${missedLooks} ' != *" $((looks += 1)) "* ]] && kill -0 "$(pid)" 2>/dev/null; }
    is_ready() { ${isReady}; }
    server_command start
  `;
  const started = (isReady: string, missedLooks: string) => {
    const folder = createTempFolder();
    try {
      const file = join(folder.path, 'brief');
      writeFileSync(file, script(isReady, missedLooks));
      const env = { PATH: process.env['PATH'], STACK_DIR: join(folder.path, 'stack') };
      const { status, stdout } = spawnSync('bash', [file], { encoding: 'utf8', env });
      return { status, stdout };
    } finally {
      folder.remove();
    }
  };

  it('is over when it answers, also if a look at it came at the wrong moment', () => {
    expect(started('[ "$looks" -ge 5 ]', '1 3')).toEqual({ status: 0, stdout: 'somewhere\n' });
  });

  it('fails when it never answers, also if it seemed to end and did not', () => {
    for (const missedLooks of ['1', '1 3']) {
      expect(started('false', missedLooks)).toEqual({ status: 1, stdout: '' });
    }
  });
});

describe.skipIf(!hasNativeMongo())('ops/stack/down', () => {
  it('finds what up started in another shell, with other settings', () => {
    const folder = createTempFolder();
    // A copy of the scripts, because those of this tree may have started the servers of the other tests.
    const scripts = join(folder.path, 'ops/stack');
    cpSync(root('ops/stack'), scripts, { recursive: true });
    symlinkSync(root('node_modules'), join(folder.path, 'node_modules'));
    const stackDir = join(folder.path, 'elsewhere');
    const binary = process.env['MONGOD_BINARY_FOR_TESTS'] ?? '';
    mkdirSync(stackDir);
    symlinkSync(binary, join(stackDir, basename(binary)));
    const run = (script: string, words: readonly string[], settings: Readonly<Record<string, string>>) => {
      const env = { PATH: process.env['PATH'], ...settings };
      return spawnSync(join(scripts, script), words, { cwd: tmpdir(), encoding: 'utf8', env });
    };
    const [, port = ''] = /MONGODB_PORT=(\d+)/.exec(run('free-ports', [], {}).stdout) ?? [];
    const settings = { STACK_DIR: stackDir, MONGODB_PORT: port };
    try {
      const { status, stdout, stderr } = run('up', ['mongodb'], settings);
      expect(status, stdout + stderr).toBe(0);
      expect(run('mongodb', ['status'], settings).stdout).toMatch(/^running as process \d+$/m);
      expect(run('down', [], {}).status).toBe(0);
      expect(run('mongodb', ['status'], settings).stdout).toBe('stopped\n');
    } finally {
      run('mongodb', ['wipe'], settings);
      folder.remove();
    }
  });
});
