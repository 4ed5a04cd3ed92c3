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
}
