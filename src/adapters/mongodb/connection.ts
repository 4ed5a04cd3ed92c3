import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { tellOfClosedSockets } from './closed-sockets.ts';
import { hasCode, isUnavailable, unauthorized } from './failures.ts';
import { checkServer, explainUnreachable } from './server-check.ts';

export interface MongoConnectionOptions {
  /** `mongodb://…`; its path is the name of the database, `registry` when it has none. */
  readonly url: string;
  /** What the server's logs call these connections, followed by the name of the database. */
  readonly appName: string;
}

/** One client for all stores of a thread; who opened it closes it, after the stores. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly db: Db;
  /** Whether connections of that name belong to processes that share this database. */
  readonly isOurs: (appName: string) => boolean;
  readonly close: () => Promise<void>;
}

const selectionMs = 3_000;
/** A member that hangs is found out after this and `selectionMs`, and all that waits for it fails then. */
const heartbeatMs = 5_000;
/** A connection on which nothing comes back, though the server is well. */
const socketMs = 10_000;
const majorityMs = 8_000;

/**
 * What was acknowledged is on the disks of a majority, and reads see what a majority has: so an acknowledged write is
 * read back by everybody, and nothing that was read is ever rolled back. What the URL says about these is overruled.
 */
export const mongoOptions = ({ appName }: Pick<MongoConnectionOptions, 'appName'>): MongoClientOptions => ({
  appName,
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: majorityMs },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
  serverSelectionTimeoutMS: selectionMs,
  connectTimeoutMS: selectionMs,
  heartbeatFrequencyMS: heartbeatMs,
  // A monitor that always listens often notices a cut before the command that it met, and of a connection that is given
  // up already the driver no longer says that its command may be repeated.
  serverMonitoringMode: 'poll',
  socketTimeoutMS: socketMs,
  waitQueueTimeoutMS: socketMs,
  minPoolSize: 2, // a page of a feed reads two ranges at once, and the second should not wait for a connection
  maxPoolSize: 32,
});

const defaultDatabase = 'registry';

const databaseOf = (url: string): string => {
  const [, name = ''] = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(url) ?? [];
  return decodeURIComponent(name) || defaultDatabase;
};

const databaseMark = (database: string): string => `@${database}`;

/** A client for the URL, not yet connected. Errors of the driver may quote the URL, which holds a password. */
export const createClient = (url: string, options: MongoClientOptions): { client: MongoClient; db: Db } => {
  tellOfClosedSockets();
  try {
    const database = databaseOf(url);
    const client = new MongoClient(url, { ...options, appName: `${options.appName}${databaseMark(database)}` });
    return { client, db: client.db(database) };
  } catch (error) {
    const name = error instanceof Error ? error.name : 'an error';
    throw new StartupError(
      `The MongoDB connection string cannot be read (${name}): it has the form ` +
        'mongodb://user:password@host:27017/registry?replicaSet=rs0, with special characters of the password encoded.',
    );
  }
};

const authenticationFailed = 18;

/** Connects and checks that the server can do what is needed of it. */
export const openMongo = async ({ url, appName }: MongoConnectionOptions): Promise<MongoConnection> => {
  const { client, db } = createClient(url, mongoOptions({ appName }));
  try {
    await client.connect();
    checkServer(await client.db('admin').command({ hello: 1 }), client.options);
    // The first command of a pooled connection is the first that needs the password.
    await db.listCollections({}, { nameOnly: true }).toArray();
  } catch (error) {
    await client.close();
    if (hasCode(error, authenticationFailed, unauthorized)) {
      throw new StartupError(
        'MongoDB refused the user or the password of the connection string, or lets the user not read the database ' +
          `${db.databaseName}: give it the role readWrite on that database.`,
        { cause: error },
      );
    }
    if (!isUnavailable(error)) throw error;
    throw new BackendUnavailable('MongoDB', { cause: await explainUnreachable(client.options, error) });
  }
  return {
    client,
    db,
    isOurs: (name) => name.endsWith(databaseMark(db.databaseName)),
    close: () => client.close(),
  };
};
