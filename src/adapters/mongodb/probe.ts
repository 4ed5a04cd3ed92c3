import { type ClientSession, type Db, type Document, type MongoClient, ObjectId } from 'mongodb';
import { StartupError } from '../../kernel/startup-error.ts';
import { openTransactions } from './abandoned-transactions.ts';
import { createClient, mongoOptions } from './connection.ts';
import { isUnavailable } from './failures.ts';
import { checkServer, explainUnreachable } from './server-check.ts';

export interface MongoFinding {
  readonly what: 'server' | 'replica set' | 'clock' | 'collections' | 'majority' | 'transactions';
  readonly ok: boolean;
  /** For the operator: what was found, and what to do when it is not well. */
  readonly sentence: string;
}

export interface MongoProbe {
  readonly version: string | null;
  readonly replicaSet: string | null;
  readonly writable: boolean;
  /** The server's clock against the given one: positive when it is ahead. */
  readonly clockSkewMs: number | null;
  /** Whether collections and indexes can be made in the database. */
  readonly canCreate: boolean;
  readonly majorityWrites: boolean;
  readonly transactions: boolean;
  readonly findings: readonly MongoFinding[];
}

export interface MongoProbeOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
}

/** Leases last for seconds and are judged by the server alone; expiry is set by this clock and judged by that one. */
const skewMsMax = 2_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const clockSentence = (skewMs: number): string => {
  if (Math.abs(skewMs) <= skewMsMax) return `Its clock and this one differ by ${Math.abs(skewMs)} ms.`;
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return (
    `Its clock is ${Math.abs(skewMs)} ms ${side} this one: documents expire too ${skewMs > 0 ? 'early' : 'late'}. ` +
    'Set both clocks by the same time server.'
  );
};

/** Each trial in its turn, until one shows that the next cannot go well. */
const tryAll = async (client: MongoClient, db: Db, nowMs: () => number, found: Found): Promise<void> => {
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  found.version = String(version);
  found.add('server', true, `MongoDB ${version} answers at ${client.options.hosts.join(', ')}.`);
  const askedMs = nowMs();
  const hello: Document = await client.db('admin').command({ hello: 1 });
  const answeredMs = nowMs();

  checkServer(hello, client.options);
  found.replicaSet = String(hello['setName']);
  found.writable = hello['isWritablePrimary'] === true;
  const role = found.writable
    ? `It is the primary of the replica set ${found.replicaSet}.`
    : `It is not the primary of the replica set ${found.replicaSet}, so it takes no writes: name the whole set in ` +
      'the connection string, without directConnection.';
  found.add('replica set', found.writable, role);

  found.clockSkewMs = Math.round((hello['localTime'] as Date).getTime() - (askedMs + answeredMs) / 2);
  found.add('clock', Math.abs(found.clockSkewMs) <= skewMsMax, clockSentence(found.clockSkewMs));

  await tryWrites(client, db, found);
};

const tryWrites = async (client: MongoClient, db: Db, found: Found): Promise<void> => {
  const name = `probe.${new ObjectId().toHexString()}`;
  found.trial = ['collections', `Collections and indexes cannot be made in the database ${db.databaseName}`];
  const collection = await db.createCollection(name);
  try {
    await collection.createIndex({ probe: 1 });
    found.canCreate = true;
    found.add('collections', true, `Collections and indexes can be made in the database ${db.databaseName}.`);

    found.trial = ['majority', 'A write was not confirmed by a majority of the set'];
    await collection.insertOne({ probe: 1 });
    found.majorityWrites = true;
    found.add('majority', true, 'A write was confirmed by a majority of the set.');

    found.trial = ['transactions', 'A transaction was not committed'];
    const work = async (session: ClientSession) => {
      await collection.insertOne({ probe: 2 }, { session });
      await collection.updateOne({ probe: 1 }, { $set: { probe: 3 } }, { session });
    };
    await client.withSession((session) => session.withTransaction(() => work(session)));
    found.trial = ['transactions', 'Transactions that a killed process has left open cannot be looked for'];
    await openTransactions(client);
    found.transactions = true;
    found.add('transactions', true, 'A transaction over two documents was committed.');
  } finally {
    await collection.drop();
  }
};

const createFound = () => {
  const findings: MongoFinding[] = [];
  return {
    version: null as string | null,
    replicaSet: null as string | null,
    writable: false,
    clockSkewMs: null as number | null,
    canCreate: false,
    majorityWrites: false,
    transactions: false,
    findings,
    /** What is being tried, and what it means when it fails. */
    trial: ['server', 'The server cannot be asked'] as [MongoFinding['what'], string],
    add: (what: MongoFinding['what'], ok: boolean, sentence: string): void => {
      findings.push({ what, ok, sentence });
    },
  };
};

type Found = ReturnType<typeof createFound>;

/** What a server can do, found out by doing it in a collection that is gone afterwards. Throws only for a wrong URL. */
export const probeMongo = async ({ url, timeoutMs, nowMs }: MongoProbeOptions): Promise<MongoProbe> => {
  const { client, db } = createClient(url, {
    ...mongoOptions({ appName: 'registry doctor' }),
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeoutMs },
  });
  const found = createFound();
  try {
    await tryAll(client, db, nowMs, found);
  } catch (error) {
    const [what, meaning] = found.trial;
    const isAway = what === 'server' && isUnavailable(error);
    const cause = isAway ? await explainUnreachable(client.options, error).catch((told: unknown) => told) : error;
    if (cause instanceof StartupError) found.add('replica set', false, cause.message);
    else found.add(what, false, `${meaning}: ${messageOf(cause)}`);
  } finally {
    await client.close();
  }
  const { trial: _, add: __, ...probe } = found;
  return probe;
};
