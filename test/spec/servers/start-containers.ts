import type { StartedTestContainer } from 'testcontainers';
import { type ComposeContainer, readComposeFile } from './compose-file.ts';

interface Wanted {
  /** What the suites read. */
  readonly variable: string;
  readonly port: number;
  /** `at` is the host and port by which the tests reach the server. */
  readonly address: (at: string) => string;
  readonly environment?: (at: string) => Record<string, string>;
}

/** By the names of docker-compose.yml. */
const servers: Readonly<Record<string, Wanted>> = {
  eventstore: {
    variable: 'EVENT_STORE_URL_FOR_TESTS',
    port: 2113,
    address: (at) => `esdb://${at}?tls=false`,
    environment: () => ({ EVENTSTORE_MEM_DB: 'true' }),
  },
  // The member of the replica set has a name that only the container knows.
  mongodb: {
    variable: 'MONGODB_URL_FOR_TESTS',
    port: 27_017,
    address: (at) => `mongodb://${at}/?directConnection=true`,
  },
  // A broker tells its clients where it is: the tests get a listener of their own beside the one of the health check.
  kafka: {
    variable: 'KAFKA_BROKERS_FOR_TESTS',
    port: 9094,
    address: (at) => at,
    environment: (at) => ({
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093,TESTS://:9094',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://kafka:9092,TESTS://${at}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,TESTS:PLAINTEXT',
    }),
  },
  opensearch: { variable: 'OPENSEARCH_URL_FOR_TESTS', port: 9200, address: (at) => `http://${at}` },
};

const started: StartedTestContainer[] = [];

const startupMs = 300_000; // an image may have to be pulled first

const millisecondsOf = (seconds: string): number => Number.parseInt(seconds, 10) * 1000;

async function start({ variable, port, address, environment }: Wanted, as: ComposeContainer) {
  const { GenericContainer, getContainerRuntimeClient, RandomPortGenerator, Wait } = await import('testcontainers');
  const { info } = await getContainerRuntimeClient();
  const hostPort = await new RandomPortGenerator().generatePort();
  const at = `${info.containerRuntime.host}:${hostPort}`;
  const container = new GenericContainer(as.image)
    .withExposedPorts({ container: port, host: hostPort })
    .withEnvironment({ ...as.environment, ...environment?.(at) })
    .withWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(startupMs);
  if (as.hostname !== undefined) container.withHostname(as.hostname);
  if (as.command !== undefined) container.withCommand(as.command);
  if (as.healthcheck !== undefined) {
    const { test, interval, timeout, retries } = as.healthcheck;
    container.withHealthCheck({
      test,
      interval: millisecondsOf(interval),
      timeout: millisecondsOf(timeout),
      retries,
    });
  }
  started.push(await container.start());
  process.env[variable] = address(at); // the test processes are started after this one's setup, and inherit it
}

/**
 * For machines with Docker: with REAL_WITH_DOCKER=1 every server whose address is not given is started as a container,
 * as docker-compose.yml has it.
 */
export async function setup(): Promise<void> {
  if (process.env['REAL_WITH_DOCKER'] !== '1') return;
  const { services } = readComposeFile();
  const outcomes = await Promise.allSettled(
    Object.entries(servers)
      .filter(([, { variable }]) => (process.env[variable] ?? '') === '')
      .map(([name, wanted]) => start(wanted, services[name] as ComposeContainer)),
  );
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return;
  await teardown();
  throw failure.reason;
}

export async function teardown(): Promise<void> {
  await Promise.all(started.splice(0).map((container) => container.stop()));
}
