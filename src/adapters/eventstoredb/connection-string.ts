import type { Credentials } from '@eventstore/db-client';
import { StartupError } from '../../kernel/startup-error.ts';

export interface ConnectionSettings {
  /** For the client; with what must not be set otherwise. */
  readonly url: string;
  /** Of the connection string; none when it names no user. */
  readonly credentials: Credentials | undefined;
  readonly tls: boolean;
  /** More than one node, of which another may lead tomorrow. */
  readonly isCluster: boolean;
}

/** The client matches them without case, `-` and `_`. It prints the whole string, password too, for any other. */
const knownOptions = new Set([
  'usercertfile',
  'userkeyfile',
  'maxdiscoverattempts',
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'nodepreference',
  'tls',
  'tlsverifycert',
  'tlscafile',
  'throwonappendfailure',
  'keepaliveinterval',
  'keepalivetimeout',
]);

const pattern = /^esdb(\+discover)?:\/\/(?:([^:]+:[^@]+)@)?([^?]+)(?:\?(.*))?$/;

function readOptions(query: string): Map<string, string> {
  const options = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', value = ''] = pair.split('=');
    const key = name.trim().toLowerCase().replace(/[_-]/g, '');
    if (!knownOptions.has(key))
      throw new StartupError(`EVENT_STORE_URL has an option ${name}, which the EventStoreDB client does not know.`);
    options.set(key, value.trim());
  }
  return options;
}

/** Refuses what the client would ignore or print with the password in it. No message holds more than an option's name. */
export function readConnectionString(given: string, timeoutMs: number): ConnectionSettings {
  const text = given.trim();
  const match = pattern.exec(text);
  if (match === null) {
    throw new StartupError('EVENT_STORE_URL must look like esdb://user:password@host:2113?tls=true.');
  }
  const [, discover, user, hosts = '', query = ''] = match;
  const options = readOptions(query);
  if (options.get('tlsverifycert') === 'false') {
    throw new StartupError('EVENT_STORE_URL: certificates are always verified; name the authority with tlsCAFile.');
  }
  const preference = options.get('nodepreference') ?? 'leader';
  if (preference.toLowerCase() !== 'leader') {
    throw new StartupError('EVENT_STORE_URL: nodePreference must be leader, or left out: another node may be behind.');
  }
  const [username, password] = (user ?? '').split(':');
  return {
    // The last one counts: a failed append must be an error, because the other way answers wrong revisions.
    url: `${text.replace(/\?$/, '')}${query === '' ? '?' : '&'}throwOnAppendFailure=true&defaultDeadline=${timeoutMs}`,
    credentials:
      username && password
        ? { username: decodeURIComponent(username.trim()), password: decodeURIComponent(password.trim()) }
        : undefined,
    tls: options.get('tls') !== 'false',
    isCluster: discover !== undefined || hosts.includes(','),
  };
}
