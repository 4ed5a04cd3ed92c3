import { type Document, MongoClient, type MongoOptions } from 'mongodb';
import { StartupError } from '../../kernel/startup-error.ts';
import { isUnavailable } from './failures.ts';

/** Reads of one moment over several collections came with MongoDB 5.0. */
const oldestWireVersion = 13;

const howToInitiate =
  'run rs.initiate() once in mongosh; a set of one member is enough, and its members must be reachable by the ' +
  'addresses that they have in the set';

type ExpectedSet = Pick<MongoOptions, 'hosts' | 'replicaSet'>;

const addressesOf = ({ hosts }: ExpectedSet): string => hosts.map(String).join(', ');

/** Refuses a server without transactions. The answer of `hello` needs no password. */
export const checkServer = (hello: Document, expected: ExpectedSet): void => {
  const server = `The MongoDB server at ${addressesOf(expected)}`;
  if (hello['isreplicaset'] === true) {
    throw new StartupError(`${server} is to be a member of a replica set that was not initiated: ${howToInitiate}.`);
  }
  if (hello['msg'] === 'isdbgrid') {
    throw new StartupError(`${server} is the router of a sharded cluster, which is not supported: use a replica set.`);
  }
  if (hello['setName'] === undefined) {
    throw new StartupError(
      `${server} is not a member of a replica set, so it has no transactions: ` +
        `start mongod with --replSet rs0, then ${howToInitiate}.`,
    );
  }
  if (expected.replicaSet && expected.replicaSet !== hello['setName']) {
    throw new StartupError(
      `${server} belongs to the replica set ${hello['setName']}, but the connection string names ` +
        `${expected.replicaSet}: correct replicaSet in the connection string.`,
    );
  }
  if (!(Number(hello['maxWireVersion']) >= oldestWireVersion)) {
    throw new StartupError(`${server} is too old: MongoDB 5.0 or a later one is needed.`);
  }
};

const directMs = 1_000;

const askDirectly = async (host: string, { tls, ca, cert, key }: MongoOptions): Promise<Document | null> => {
  const secured = tls ? { tls, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } : {};
  const client = new MongoClient(`mongodb://${host}/`, {
    ...secured,
    directConnection: true,
    serverSelectionTimeoutMS: directMs,
    connectTimeoutMS: directMs,
  });
  try {
    return await client.db('admin').command({ hello: 1 });
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  } finally {
    await client.close();
  }
};

/**
 * The driver passes over servers that are not what the URL says, and then only reports that it found none. Asked
 * directly, they tell what is wrong. Answers what to name as the cause when they are as they should be.
 */
export const explainUnreachable = async (options: MongoOptions, cause: unknown): Promise<unknown> => {
  for (const host of options.hosts) {
    const hello = await askDirectly(String(host), options);
    if (hello === null) continue;
    checkServer(hello, options);
    return new Error(
      `the server at ${host} answers, but its replica set ${hello['setName']} has no primary that can be reached: ` +
        `its members are ${[hello['hosts']].flat().join(', ')}`,
      { cause },
    );
  }
  return cause;
};
