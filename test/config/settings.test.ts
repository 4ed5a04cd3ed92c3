import { describe, expect, it } from 'vitest';
import { embeddingSettingsOf } from '../../src/config/embedding-settings.ts';
import { fetchSettingsOf } from '../../src/config/fetch-settings.ts';
import { generationSettingsOf } from '../../src/config/generation-settings.ts';
import { lookupSettingsOf } from '../../src/config/lookup-settings.ts';
import { describeConfig, readConfig } from '../../src/config/read-config.ts';
import { baseUrlOf } from '../../src/config/settings.ts';
import { StartupError } from '../../src/kernel/startup-error.ts';

const sentenceOf = (environment: Record<string, string>, flags: Record<string, string> = {}): string => {
  try {
    readConfig(environment, flags);
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as Error).message;
  }
  throw new Error('the settings were accepted');
};

const hexKey = 'ab'.repeat(32);

describe('readConfig', () => {
  it('has a value for everything that needs one', () => {
    expect(readConfig({})).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: 'data',
      ROLES: ['http', 'projector', 'relay', 'deliverer', 'fetcher'],
      HTTP_THREADS: 1,
      KAFKA_TOPIC_PREFIX: '',
      KAFKA_SESSION_TIMEOUT: 10,
      OPENSEARCH_INDEX_PREFIX: 'registry',
      WAIT_FOR_BACKENDS: 10,
      RATE_LIMIT_ANONYMOUS: 120,
      RATE_LIMIT_ACCOUNT: 300,
      RATE_LIMIT_TOKEN: 600,
      TRUST_PROXY: [],
      READY_ANSWERS_MIB: 64,
      REGISTRY_NAME: 'release-registry',
      LOG_LEVEL: 'info',
      METRICS_HOST: '127.0.0.1',
      EMIT_BACKFILL_DAYS: 7,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: false,
      FETCH_ALLOW_PRIVATE_TARGETS: false,
      FETCH_SCHEDULE: true,
      FETCH_CONCURRENCY: 16,
      GITHUB_API_URL: 'https://api.github.com',
      VIDEO_FEED_URL: 'https://www.youtube.com/feeds/videos.xml',
      GITHUB_RAW_URL: 'https://raw.githubusercontent.com',
      APPSTORE_URL: 'https://itunes.apple.com',
      FETCH_PER_HOST: 2,
      CONTENT_PROVIDER: 'extractive',
      OPENAI_BASE_URL: 'https://api.openai.com/v1',
      OPENAI_MODEL: 'gpt-4o-mini',
      OPENAI_TIMEOUT: 60,
      ENRICHMENTS_PER_MINUTE: 10,
      EMBEDDER: 'minilm',
      EMBEDDING_BASE_URL: 'https://api.openai.com/v1',
      EMBEDDING_MODEL: 'text-embedding-3-small',
      WEBHOOK_RETRY_DELAYS: ['5s', '30s', '5m', '30m', '2h', '5h', '10h', '14h'],
      TRUSTED_ORIGINS: [],
    });
  });

  it('takes the environment, and flags before it', () => {
    const config = readConfig({ PORT: '4000', DATA_DIR: 'a', HOST: '::1' }, { port: '5000', data: 'b' });
    expect(config).toMatchObject({ PORT: 5000, DATA_DIR: 'b', HOST: '::1' });
  });

  it('takes a blank value for none', () => {
    expect(readConfig({ PORT: '', ROOT_API_KEY: ' ' })).toEqual(readConfig({}));
  });

  it('reads a switch in every usual spelling', () => {
    const read = (text: string) => readConfig({ WEBHOOK_ALLOW_PRIVATE_TARGETS: text }).WEBHOOK_ALLOW_PRIVATE_TARGETS;
    expect(['on', 'true', 'yes', '1', 'ON'].map(read)).toEqual([true, true, true, true, true]);
    expect(['off', 'false', 'no', '0', 'Off'].map(read)).toEqual([false, false, false, false, false]);
  });

  it('reads lists and keys', () => {
    const bytes = Buffer.from(hexKey, 'hex');
    for (const SECRET_KEY of [hexKey, bytes.toString('base64'), bytes.toString('base64url')]) {
      expect(readConfig({ SECRET_KEY }).SECRET_KEY).toEqual(new Uint8Array(bytes));
    }
    const origins = ['https://a.example', 'http://localhost:8080'];
    expect(readConfig({ TRUSTED_ORIGINS: origins.join(' , ') }).TRUSTED_ORIGINS).toEqual(origins);
    expect(readConfig({ ROLES: 'fetcher, http' }).ROLES).toEqual(['fetcher', 'http']);
  });

  it.each([
    [{ PORT: '65536' }, 'PORT (--port) must be a whole number from 0 to 65535; it is "65536".'],
    [{ PORT: '-1' }, 'PORT (--port) must be a whole number from 0 to 65535; it is "-1".'],
    [{ PORT: '3e3' }, 'PORT (--port) must be a whole number from 0 to 65535; it is "3e3".'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent; it is "loud".'],
    [{ BASE_URL: 'https://a.example/' }, /^BASE_URL must be an http or https address without a slash at its end/],
    [{ BASE_URL: 'ftp://a.example' }, /^BASE_URL must be/],
    [{ BASE_URL: 'https://a.example?x=1' }, /^BASE_URL must be/],
    [{ TRUSTED_ORIGINS: 'https://a.example/path' }, /^TRUSTED_ORIGINS must be a list of origins/],
    [{ WEBHOOK_ALLOW_PRIVATE_TARGETS: 'maybe' }, 'WEBHOOK_ALLOW_PRIVATE_TARGETS must be on or off; it is "maybe".'],
    [{ FETCH_ALLOW_PRIVATE_TARGETS: 'maybe' }, 'FETCH_ALLOW_PRIVATE_TARGETS must be on or off; it is "maybe".'],
    [
      { GITHUB_API_URL: 'api.github.com' },
      /^GITHUB_API_URL must be an http or https address without a slash at its end/,
    ],
    [{ VIDEO_FEED_URL: 'https://video.example/' }, /^VIDEO_FEED_URL must be an http or https address/],
    [{ EMIT_BACKFILL_DAYS: 'week' }, /^EMIT_BACKFILL_DAYS must be a whole number of days/],
    [{ REGISTRY_NAME: 'a b' }, /^REGISTRY_NAME must be 1 to 100 letters/],
    [{ RATE_LIMIT_ANONYMOUS: '0' }, /^RATE_LIMIT_ANONYMOUS must be a whole number from 1 to/],
    [{ HTTP_THREADS: '0' }, 'HTTP_THREADS must be a whole number from 1 to 64; it is "0".'],
    [{ HTTP_THREADS: '65' }, 'HTTP_THREADS must be a whole number from 1 to 64; it is "65".'],
    [{ RATE_LIMIT_TOKEN: 'many' }, /^RATE_LIMIT_TOKEN must be a whole number/],
    [{ READY_ANSWERS_MIB: '-1' }, /^READY_ANSWERS_MIB must be a whole number of MiB from 0 to 65536/],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY must be a list of addresses and ranges/],
    [{ TRUST_PROXY: '10.0.0.1,all' }, /^TRUST_PROXY must be .*; it is "10.0.0.1,all"\.$/],
    [{ HOST: 'a b' }, /^HOST \(--host\) must be a host name/],
    [{ ROLES: ',' }, /^ROLES \(--roles\) must be one or more of http, projector, relay, deliverer, fetcher/],
    [{ ROLES: 'http,baker' }, /^ROLES \(--roles\) must be one or more of .*; it is "http,baker"\.$/],
    [{ EVENT_STORE_URL: 'http://a.example:2113' }, /^EVENT_STORE_URL must be an address such as esdb:/],
    [{ MONGODB_URL: 'a.example:27017' }, /^MONGODB_URL must be an address such as mongodb:/],
    [{ KAFKA_BROKERS: 'me:hidden@a.example:9092' }, /^KAFKA_BROKERS must be a list .*; it is "a\.example:9092"\.$/],
    [{ KAFKA_BROKERS: 'a.example' }, /^KAFKA_BROKERS must be a list/],
    [{ KAFKA_TOPIC_PREFIX: 'a b' }, /^KAFKA_TOPIC_PREFIX must be at most 100 letters/],
    [{ KAFKA_SESSION_TIMEOUT: '5' }, /^KAFKA_SESSION_TIMEOUT must be a whole number of seconds from 6 to 300/],
    [{ OPENSEARCH_URL: 'a.example:9200' }, /^OPENSEARCH_URL must be an http or https address/],
    [
      { OPENSEARCH_URL: 'https://me:hidden@a.example?x=1,https://me:hidden@b.example:9200?x' },
      /^OPENSEARCH_URL must be .*; it is "https:\/\/b\.example:9200"\.$/,
    ],
    [{ OPENSEARCH_INDEX_PREFIX: 'Upper' }, /^OPENSEARCH_INDEX_PREFIX must be at most 100 small letters/],
    [{ WEBHOOK_RETRY_DELAYS: '5s,5s' }, /^WEBHOOK_RETRY_DELAYS must be a list .* longer than the one before/],
    [{ WEBHOOK_RETRY_DELAYS: '25h' }, /^WEBHOOK_RETRY_DELAYS must be/],
    [{ WEBHOOK_RETRY_DELAYS: '0s,1s' }, /^WEBHOOK_RETRY_DELAYS must be/],
    [{ WEBHOOK_RETRY_DELAYS: 'soon' }, /^WEBHOOK_RETRY_DELAYS must be/],
    [{ WAIT_FOR_BACKENDS: 'long' }, /^WAIT_FOR_BACKENDS \(--wait\) must be a whole number of seconds/],
  ])('%j is refused with a sentence', (environment, sentence) => {
    if (typeof sentence === 'string') expect(sentenceOf(environment)).toBe(sentence);
    else expect(sentenceOf(environment)).toMatch(sentence);
  });

  it('never repeats a secret', () => {
    for (const [name, value] of [
      ['ROOT_API_KEY', 'too-short'],
      ['ROOT_API_KEY', 'with a blank in the middle'],
      ['GITHUB_TOKEN', 'two words'],
      ['OPENAI_API_KEY', 'two words'],
      ['SECRET_KEY', `${hexKey}ab`],
      ['SECRET_KEY', 'ab'.repeat(31)],
    ] as const) {
      const sentence = sentenceOf({ [name]: value });
      expect(sentence).toMatch(new RegExp(`^${name} must be `));
      expect(sentence).not.toContain(value);
    }
  });

  it('never repeats the password in an address', () => {
    for (const [url, shown] of [
      ['mongo://me:hidden@a.example/registry?x=hidden', 'mongo://a.example/registry'],
      ['me:hidden@a.example:27017/registry', 'a.example:27017/registry'],
      ['mongo://me:hid/den@hidden@a.example/registry', 'mongo://a.example/registry'],
    ] as const) {
      const sentence = sentenceOf({ MONGODB_URL: url });
      expect(sentence).toContain(`it is "${shown}"`);
      expect(sentence).not.toContain('hid');
    }
  });

  it('opens the network to webhooks and to what is asked of third parties apart', () => {
    const open = (environment: Record<string, string>) => {
      const config = readConfig(environment);
      const asking = [lookupSettingsOf, fetchSettingsOf, generationSettingsOf, embeddingSettingsOf];
      const fetches = new Set(asking.map((settingsOf) => settingsOf(config).allowPrivateFetches));
      return { webhooks: config.WEBHOOK_ALLOW_PRIVATE_TARGETS, fetches: [...fetches] };
    };
    expect(open({})).toEqual({ webhooks: false, fetches: [false] });
    expect(open({ WEBHOOK_ALLOW_PRIVATE_TARGETS: 'on' })).toEqual({ webhooks: true, fetches: [false] });
    expect(open({ FETCH_ALLOW_PRIVATE_TARGETS: 'on' })).toEqual({ webhooks: false, fetches: [true] });
  });

  it('names every setting that is wrong', () => {
    const lines = sentenceOf({ ROOT_API_KEY: 'short' }, { port: 'x' }).split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'ROOT_API_KEY']);
  });
});

describe('describeConfig', () => {
  it('shows what differs from its default, and of a secret only that it is set', () => {
    const key = 'a-root-key-that-nobody-may-see';
    const MONGODB_URL = 'mongodb://me:pass%40word@a.example,b.example/registry?replicaSet=rs0';
    const given = { ROOT_API_KEY: key, SECRET_KEY: hexKey, PORT: '80', ROLES: 'http, relay', LOG_LEVEL: 'info' };
    const lines = describeConfig(readConfig({ ...given, MONGODB_URL, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'yes' }));
    expect(lines.map((line) => line.split(/ +/))).toEqual([
      ['PORT', '80'],
      ['ROLES', 'http,relay'],
      ['MONGODB_URL', 'mongodb://a.example,b.example/registry'],
      ['ROOT_API_KEY', 'set'],
      ['SECRET_KEY', 'set'],
      ['WEBHOOK_ALLOW_PRIVATE_TARGETS', 'on'],
    ]);
  });

  it('shows nothing where nothing differs', () => {
    expect(describeConfig(readConfig({ PORT: '3000', DATA_DIR: 'data' }))).toEqual([]);
  });
});

describe('baseUrlOf', () => {
  it('is what was set, or this machine', () => {
    expect(baseUrlOf(readConfig({ BASE_URL: 'https://registry.example' }), 1)).toBe('https://registry.example');
    expect(baseUrlOf(readConfig({}), 4711)).toBe('http://localhost:4711');
  });
});
