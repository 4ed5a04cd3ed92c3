import { existsSync } from 'node:fs';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { openRawStores } from '../compose/stores/open-stores.ts';
import { knownSecretKey } from '../compose/secret-key.ts';
import type { Stores } from '../compose/stores/stores.ts';
import { embeddingSettingsOf } from '../config/embedding-settings.ts';
import type { Config } from '../config/settings.ts';
import { examineDelivery } from '../doctor/examine-delivery.ts';
import { examineEmbedder } from '../doctor/examine-embedder.ts';
import { examineRegistry } from '../doctor/examine-registry.ts';
import { examineSearch, noIndexHere } from '../doctor/examine-search.ts';
import { failure, type Finding, warning, well } from '../ports/finding.ts';
import { createSeal } from '../records/secrets/seal.ts';
import { opensSecrets } from '../records/secrets/secret-key-mark.ts';
import type { RunCommand } from './cli-command.ts';
import { examineDataFolder } from './examine-data-folder.ts';
import { declaredTopics } from './topics.ts';
import { withStores } from './with-stores.ts';

const probeMs = 5_000;

function examineSettings(config: Config): Finding[] {
  const findings: Finding[] = [];
  const hasServers = config.EVENT_STORE_URL !== undefined || config.MONGODB_URL !== undefined;
  if (hasServers && config.SECRET_KEY === undefined) {
    const make = 'Make one with `openssl rand -hex 32`, or take that of the data folder, and give it to every process.';
    findings.push(failure('SECRET_KEY', 'it is not set, but servers are', make));
  }
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(config.HOST);
  if (isOpen && config.BASE_URL === undefined) {
    const set = 'Set BASE_URL to the address that the world uses.';
    findings.push(warning('BASE_URL', 'other machines may come in, but answers link to localhost', set));
  }
  return findings.length > 0 ? findings : [well('settings', 'they can be used')];
}

// The drivers are loaded only where they are used.
const examineEventStoreDb = async (url: string): Promise<Finding[]> =>
  (await import('../doctor/examine-event-store-db.ts')).examineEventStoreDb(url, probeMs);
const examineKafka = async (brokers: string): Promise<Finding[]> =>
  (await import('../doctor/examine-kafka.ts')).examineKafka(brokers);
const examineMongo = async (url: string): Promise<Finding[]> =>
  (await import('../doctor/examine-mongodb.ts')).examineMongo(url, probeMs);

const examineOpenSearch = async (urls: string, prefix: string): Promise<Finding[]> =>
  (await import('../doctor/examine-opensearch.ts')).examineOpenSearch(urls, prefix, probeMs);

async function examineSecretKey(config: Config, { ops }: Stores): Promise<Finding[]> {
  const key = knownSecretKey(config);
  if (key === null || (await opensSecrets(ops, createSeal(key, systemRandom))) !== false) return [];
  const set = 'Set SECRET_KEY to the key that the registry was first started with, for every process.';
  return [failure('SECRET_KEY', 'it is not the key that the secrets of this registry are sealed with', set)];
}

async function examineAll(config: Config, stores: Stores): Promise<Finding[]> {
  const registry = [...(await examineRegistry(stores)), ...(await examineSecretKey(config, stores))];
  // Positions of another registry say nothing about this one; an embedded bus would be made by looking at it.
  const hasBus = config.KAFKA_BROKERS !== undefined || existsSync(config.DATA_DIR);
  if (registry.some(({ state }) => state === 'failure') || !hasBus) return registry;
  return [
    ...registry,
    ...(await examineIndex(config, stores)),
    ...(await examineDelivery(stores, declaredTopics(config))),
  ];
}

/** Looking at a folder that is not there would make it; on a server the index is that of all processes. */
const examineIndex = async (config: Config, stores: Stores): Promise<Finding[]> => {
  if (config.OPENSEARCH_URL !== undefined) return examineSearch(stores, { isShared: false });
  const isShared = config.EVENT_STORE_URL !== undefined && config.MONGODB_URL !== undefined;
  return existsSync(config.DATA_DIR) ? examineSearch(stores, { isShared }) : [noIndexHere];
};

/** Others neither search nor feed the index. */
const needsEmbedder = ({ ROLES: roles }: Config): boolean => roles.includes('http') || roles.includes('projector');

async function examine(config: Config): Promise<Finding[]> {
  const { EVENT_STORE_URL: eventStoreUrl, MONGODB_URL: mongodbUrl, KAFKA_BROKERS: kafkaBrokers } = config;
  const openSearchUrl = config.OPENSEARCH_URL;
  const isEmbedded = [eventStoreUrl, mongodbUrl, kafkaBrokers].includes(undefined);
  const findings = [
    ...examineSettings(config),
    ...(isEmbedded ? examineDataFolder(config.DATA_DIR) : []),
    ...(eventStoreUrl === undefined ? [] : await examineEventStoreDb(eventStoreUrl)),
    ...(mongodbUrl === undefined ? [] : await examineMongo(mongodbUrl)),
    ...(kafkaBrokers === undefined ? [] : await examineKafka(kafkaBrokers)),
    ...(openSearchUrl === undefined ? [] : await examineOpenSearch(openSearchUrl, config.OPENSEARCH_INDEX_PREFIX)),
  ];
  const isReachable = findings.every(({ state, about }) => state !== 'failure' || about === 'SECRET_KEY');
  const hasFiles = eventStoreUrl === undefined || mongodbUrl === undefined;
  const isNew = hasFiles && !existsSync(config.DATA_DIR); // looking at it would make it
  const isExamined = isReachable && !isNew;
  return [
    ...findings,
    ...(isExamined ? await withStores(config, (stores) => examineAll(config, stores), openRawStores) : []),
    ...(needsEmbedder(config) ? await examineEmbedder(embeddingSettingsOf(config), systemClock) : []),
  ];
}

const marks = { ok: 'ok     ', warning: 'warning', failure: 'FAILURE' };

const describe = ({ state, about, sentence, advice }: Finding): string =>
  `${marks[state]}  ${about}: ${sentence}${advice === undefined ? '' : `\n         → ${advice}`}`;

export const runDoctor: RunCommand = async ({ config, json, print }) => {
  const findings = await examine(config);
  const failures = findings.filter(({ state }) => state === 'failure').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (json) print(JSON.stringify({ ok: failures === 0, findings }));
  else print([...findings.map(describe), '', `${failures} failures, ${warnings} warnings`].join('\n'));
  return failures === 0 ? 0 : 1;
};
