/** The servers that suites can run against, and the variable that says where each one is. */
const variables = {
  mongodb: 'MONGODB_URL_FOR_TESTS',
  kafka: 'KAFKA_BROKERS_FOR_TESTS',
  opensearch: 'OPENSEARCH_URL_FOR_TESTS',
  eventstoredb: 'EVENT_STORE_URL_FOR_TESTS',
} as const;

export type RealServer = keyof typeof variables;

/**
 * The address of a real server; null when there is none, and the suite is left out. A machine that should have it says
 * so with REQUIRE_REAL (a list with commas), and then its absence is a failure.
 */
export function realServer(name: RealServer): string | null {
  const variable = variables[name];
  const address = process.env[variable];
  if (address !== undefined && address !== '') return address;
  const how = 'run `ops/stack/up`, then `eval "$(ops/stack/env)"`';
  if ((process.env['REQUIRE_REAL'] ?? '').split(',').includes(name)) {
    throw new Error(`REQUIRE_REAL names ${name}, but ${variable} is not set: ${how}.`);
  }
  process.stderr.write(`\nSKIPPED: the suites of ${name}, because ${variable} is not set. To run them: ${how}.\n`);
  return null;
}
