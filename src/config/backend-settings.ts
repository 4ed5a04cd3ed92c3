import type { Config } from './settings.ts';

/** Each port has its own back end; one that is not named is embedded, in the data folder. */
export interface BackendSettings {
  readonly dataDir: string;
  readonly eventStoreUrl?: string | undefined;
  /** Read models and operational store. */
  readonly mongodbUrl?: string | undefined;
  /** The message bus. */
  readonly kafkaBrokers?: string | undefined;
  /** Begins the names of topics and groups on Kafka. */
  readonly topicPrefix?: string | undefined;
  /** How soon Kafka takes a silent process for dead. */
  readonly kafkaSessionMs?: number | undefined;
  /** The search index: some nodes of the cluster, separated by commas. */
  readonly openSearchUrl?: string | undefined;
  /** Begins the names of indexes on OpenSearch. */
  readonly indexPrefix?: string | undefined;
}

/** Where the stores lie, as the settings say. */
export const backendsOf = (config: Config): BackendSettings => ({
  dataDir: config.DATA_DIR,
  eventStoreUrl: config.EVENT_STORE_URL,
  mongodbUrl: config.MONGODB_URL,
  kafkaBrokers: config.KAFKA_BROKERS,
  topicPrefix: config.KAFKA_TOPIC_PREFIX,
  kafkaSessionMs: config.KAFKA_SESSION_TIMEOUT * 1_000,
  openSearchUrl: config.OPENSEARCH_URL,
  indexPrefix: config.OPENSEARCH_INDEX_PREFIX,
});

/** The same, with how long they are waited for at a start. */
export const storesOf = (config: Config): { readonly backends: BackendSettings; readonly waitMs: number } => ({
  backends: backendsOf(config),
  waitMs: config.WAIT_FOR_BACKENDS * 1_000,
});
