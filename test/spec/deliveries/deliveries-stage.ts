import { createMortalProcess, type MortalProcess } from './mortal-process.ts';
import { createPatientClient, type PatientClient } from './patient-client.ts';

/** A broker that the test owns. */
export interface MortalBroker {
  readonly brokers: string;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** One registry in two processes on one data folder. */
export interface DeliveriesStage {
  /** Takes the writes and fills the read models. */
  readonly front: MortalProcess;
  /** Publishes and delivers. */
  readonly back: MortalProcess;
  /** Talks to the front. */
  readonly client: PatientClient;
  /** Null where the bus is embedded. */
  readonly broker: MortalBroker | null;
  /** As whoever opens the stores beside the processes has to name them. */
  readonly backends: {
    readonly dataDir: string;
    readonly kafkaBrokers: string | undefined;
    readonly topicPrefix: string;
  };
}

const topicPrefix = 'deliveries-killed.';

/** Three attempts. */
export const retryDelayNames = ['1s', '5s'];

/** Nothing runs yet. */
export async function setDeliveriesStage(dataDir: string, broker: MortalBroker | null): Promise<DeliveriesStage> {
  const settings = {
    WEBHOOK_RETRY_DELAYS: retryDelayNames.join(','),
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'on',
    SECRET_KEY: '07'.repeat(32),
    WAIT_FOR_BACKENDS: '60',
    ...(broker && { KAFKA_BROKERS: broker.brokers, KAFKA_TOPIC_PREFIX: topicPrefix }),
  };
  const front = await createMortalProcess(dataDir, { ...settings, ROLES: 'http,projector,fetcher' });
  const back = await createMortalProcess(dataDir, { ...settings, ROLES: 'relay,deliverer' });
  return {
    front,
    back,
    client: createPatientClient(front.url),
    broker,
    backends: { dataDir, kafkaBrokers: broker?.brokers, topicPrefix },
  };
}
