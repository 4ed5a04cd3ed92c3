import type { BackendSettings } from './backend-settings.ts';
import type { Backend } from '../kernel/backend-unavailable.ts';
import { addressOf } from '../kernel/address/connection-string.ts';

const settingOf = {
  EventStoreDB: { name: 'EVENT_STORE_URL', url: ({ eventStoreUrl }: BackendSettings) => eventStoreUrl },
  MongoDB: { name: 'MONGODB_URL', url: ({ mongodbUrl }: BackendSettings) => mongodbUrl },
  Kafka: { name: 'KAFKA_BROKERS', url: ({ kafkaBrokers }: BackendSettings) => kafkaBrokers },
  OpenSearch: { name: 'OPENSEARCH_URL', url: ({ openSearchUrl }: BackendSettings) => openSearchUrl },
} as const;

/** What an operator reads when the start is given up. */
export function unreachableSentence(backend: Backend, settings: BackendSettings, waitedMs: number): string {
  if (!(backend in settingOf)) return `${backend} cannot be reached.`;
  const { name, url } = settingOf[backend as keyof typeof settingOf];
  return (
    `${backend} cannot be reached at ${addressOf(url(settings) ?? '')} (${name}); ` +
    `${Math.round(waitedMs / 1_000)} seconds were waited for it. Start it or correct ${name}; ` +
    '`--wait <seconds>` waits longer, `registry doctor` tells more.'
  );
}
