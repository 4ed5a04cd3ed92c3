import { z } from 'zod';
import { defaultRetryDelays, isRetrySchedule } from '../delivery/retry-delays.ts';
import { addressOf } from '../kernel/address/connection-string.ts';
import { contentSettings } from './declared/content.ts';
import { embeddingSettings } from './declared/embedding.ts';
import { fetchingSettings } from './declared/fetching.ts';
import { searchingSettings } from './declared/searching.ts';
import { rateLimitSettings } from './declared/rate-limits.ts';
import { httpThreadsSettings } from './declared/http-threads.ts';
import { metricsSettings } from './declared/metrics.ts';
import { readyAnswersSettings } from './declared/ready-answers.ts';
import {
  bytesOf,
  commaList,
  isBaseUrl,
  isOrigin,
  notesOf,
  onOrOff,
  secretKeyBytes,
  setting,
  type SettingNotes,
  wholeNumber,
} from './setting-kinds.ts';

/** What a process can do. */
export const allRoles = ['http', 'projector', 'relay', 'deliverer', 'fetcher'] as const;
export type Role = (typeof allRoles)[number];
export const defaultRegistryName = 'release-registry';
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting that there is. The names are those of the environment. */
export const configSchema = z.object({
  PORT: setting(
    {
      description: 'The port to listen on; 0 takes one that is free.',
      mustBe: 'a whole number from 0 to 65535',
      flag: 'port',
      fallback: '3000',
    },
    wholeNumber(65_535).prefault('3000'),
  ),
  HOST: setting(
    {
      description: 'The address to listen on; `0.0.0.0` lets other machines in.',
      mustBe: 'a host name or an address of this machine',
      flag: 'host',
      fallback: '127.0.0.1',
    },
    z
      .string()
      .regex(/^[\w.:-]{1,253}$/)
      .prefault('127.0.0.1'),
  ),
  DATA_DIR: setting(
    { description: 'The folder that holds all data.', mustBe: 'a folder', flag: 'data', fallback: 'data' },
    z
      .string()
      .refine((path) => !path.includes('\0'))
      .prefault('data'),
  ),
  ROLES: setting(
    {
      description:
        'What this process does: `http` answers requests, `projector` fills the read models, `relay` publishes events, `deliverer` sends webhooks, `fetcher` does the timed work.',
      mustBe: `one or more of ${allRoles.join(', ')}, separated by commas`,
      flag: 'roles',
      fallback: allRoles.join(','),
    },
    commaList.pipe(z.array(z.enum(allRoles)).min(1)).prefault(allRoles.join(',')),
  ),
  ...httpThreadsSettings,
  EVENT_STORE_URL: setting(
    {
      description: 'EventStoreDB instead of the embedded event store.',
      mustBe: 'an address such as esdb://host:2113?tls=false or esdb+discover://host:2113',
      shown: addressOf,
    },
    z
      .string()
      .regex(/^esdb(\+discover)?:\/\/[^/\s]/)
      .exactOptional(),
  ),
  MONGODB_URL: setting(
    {
      description: 'MongoDB, a replica set, instead of the embedded read models and operational store.',
      mustBe: 'an address such as mongodb://host:27017/registry?replicaSet=rs0',
      shown: addressOf,
    },
    z
      .string()
      .regex(/^mongodb(\+srv)?:\/\/[^/\s]/)
      .exactOptional(),
  ),
  KAFKA_BROKERS: setting(
    {
      description: 'Kafka instead of the embedded message bus: some brokers of the cluster, which tell of the others.',
      mustBe: 'a list such as host:9092,host:9092',
      shown: addressOf,
    },
    z
      .string()
      .regex(/^[\w.-]+:\d{1,5}(,[\w.-]+:\d{1,5})*$/)
      .exactOptional(),
  ),
  KAFKA_TOPIC_PREFIX: setting(
    {
      description:
        'Begins the names of all topics and consumer groups, so that several registries can share a cluster.',
      mustBe: 'at most 100 letters, digits, dots, hyphens and underscores',
      fallback: '',
    },
    z
      .string()
      .regex(/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,99}$/)
      .or(z.literal(''))
      .prefault(''),
  ),
  KAFKA_SESSION_TIMEOUT: setting(
    {
      description:
        'After how many seconds without a sign of life the other processes take over the messages of one; the limits of the brokers hold too.',
      mustBe: 'a whole number of seconds from 6 to 300',
      fallback: '10',
    },
    wholeNumber(300)
      .refine((seconds) => seconds >= 6)
      .prefault('10'),
  ),
  ...searchingSettings,
  WAIT_FOR_BACKENDS: setting(
    {
      description: 'How many seconds a start waits for servers that cannot be reached yet.',
      mustBe: 'a whole number of seconds from 0 to 86400',
      flag: 'wait',
      fallback: '10',
    },
    wholeNumber(86_400).prefault('10'),
  ),
  ROOT_API_KEY: setting(
    {
      description:
        'The root credential, which may do everything; without it make a token with `registry token create`.',
      mustBe: '16 or more visible ASCII characters',
      secret: true,
    },
    z
      .string()
      .regex(/^[\x21-\x7e]{16,1000}$/)
      .exactOptional(),
  ),
  BASE_URL: setting(
    {
      description: 'The public address of this service, which its answers link to.',
      mustBe: 'an http or https address without a slash at its end',
      fallback: 'http://localhost:<port>',
    },
    z.string().refine(isBaseUrl).exactOptional(),
  ),
  ...rateLimitSettings,
  ...readyAnswersSettings,
  REGISTRY_NAME: setting(
    {
      description: 'What this registry is called in the manifests of orgs.',
      mustBe: '1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit',
      fallback: defaultRegistryName,
    },
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
      .prefault(defaultRegistryName),
  ),
  SECRET_KEY: setting(
    {
      description:
        'Seals what must not lie readable on the disk. Embedded, a key is made once in the data folder; with servers it must be set, the same for all processes.',
      mustBe: `${secretKeyBytes} bytes as ${2 * secretKeyBytes} hexadecimal digits or as Base64`,
      secret: true,
    },
    z
      .string()
      .regex(/^[\w+/-]{42,64}={0,2}$/)
      .transform(bytesOf)
      .refine((bytes) => bytes.length === secretKeyBytes)
      .exactOptional(),
  ),
  LOG_LEVEL: setting(
    {
      description: 'The least that is worth a log line.',
      mustBe: `one of ${logLevels.join(', ')}`,
      fallback: 'info',
    },
    z.enum(logLevels).prefault('info'),
  ),
  ...metricsSettings,
  EMIT_BACKFILL_DAYS: setting(
    {
      description: 'Imports, lookups and first fetches announce only releases of the last so many days.',
      mustBe: 'a whole number of days from 0 to 36500',
      fallback: '7',
    },
    wholeNumber(36_500).prefault('7'),
  ),
  WEBHOOK_ALLOW_PRIVATE_TARGETS: setting(
    {
      description:
        'Lets webhooks go to private addresses, internal hosts and any port, also over http; not for a public registry.',
      mustBe: 'on or off',
      fallback: 'off',
    },
    onOrOff.prefault('off'),
  ),
  ...fetchingSettings,
  ...contentSettings,
  ...embeddingSettings,
  WEBHOOK_RETRY_DELAYS: setting(
    {
      description:
        'How long a webhook waits after each failed attempt; one attempt more is made than there are delays. Each has a retry topic of its own.',
      mustBe: 'a list such as 5s,30s,5m,2h, separated by commas, each at most 24h and longer than the one before',
      fallback: defaultRetryDelays,
    },
    commaList.refine(isRetrySchedule).prefault(defaultRetryDelays),
  ),
  TRUSTED_ORIGINS: setting(
    {
      description: 'Origins of web pages that may send the credentials of their users along, separated by commas.',
      mustBe: 'a list of origins such as https://example.com, separated by commas',
      fallback: '',
    },
    commaList.refine((origins) => origins.every(isOrigin)).prefault(''),
  ),
});

export type Config = z.output<typeof configSchema>;

export interface SettingRow extends SettingNotes {
  readonly name: keyof Config;
}

/** In the order in which they are shown. */
export const settingRows: readonly SettingRow[] = Object.entries(configSchema.shape).map(([name, schema]) => {
  const notes = notesOf(schema);
  if (notes === undefined) throw new Error(`the setting ${name} is not described`);
  return { name: name as keyof Config, ...notes };
});

/** What answers link to when nobody says otherwise. */
export const baseUrlOf = (config: Config, port: number): string => config.BASE_URL ?? `http://localhost:${port}`;
