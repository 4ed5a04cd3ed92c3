import type { CliCommand } from './cli-command.ts';

/** Every command by its name, in the order in which they are listed. */
export const allCommands: Readonly<Record<string, CliCommand>> = {
  serve: {
    usage: 'serve [--port <n>] [--host <address>] [--no-demo] [--roles <list>]',
    summary: 'runs the service; an empty registry is filled with a demo',
    flags: {
      port: { type: 'string' },
      host: { type: 'string' },
      roles: { type: 'string' },
      'no-demo': { type: 'boolean' },
    },
    load: async () => (await import('./serve.ts')).runServe,
  },
  import: {
    usage: 'import <folder, glob or .ndjson file>… [--org <slug>] [--dry-run]',
    wordsMax: Number.POSITIVE_INFINITY,
    summary:
      'reads changelog files, or releases one JSON object a line, and brings them in; a second time changes nothing',
    flags: { org: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    load: async () => (await import('./import.ts')).runImport,
  },
  fetch: {
    usage: 'fetch <source> [--dry-run] [--force]',
    wordsMax: 1,
    summary:
      'fetches a source now and shows what it finds; --dry-run stores nothing, --force forgets what was seen before',
    flags: { 'dry-run': { type: 'boolean' }, force: { type: 'boolean' } },
    load: async () => (await import('./fetch.ts')).runFetch,
  },
  search: {
    usage: 'search <words>… [--mode <lexical, semantic or hybrid>] [--limit <n>] [--explain]',
    wordsMax: Number.POSITIVE_INFINITY,
    summary: 'searches releases and changelogs; --explain shows the place of each hit in every list it was found in',
    flags: { mode: { type: 'string' }, limit: { type: 'string' }, explain: { type: 'boolean' } },
    load: async () => (await import('./search.ts')).runSearch,
  },
  sources: {
    usage: 'sources',
    summary: 'lists how fetching each source goes, when it is fetched next and what failed last, the worst first',
    load: async () => (await import('./sources.ts')).runSources,
  },
  token: {
    usage: 'token create --name <name> --scope <admin, write or read> [--expires <date>]',
    wordsMax: 1,
    summary: 'makes a machine token and prints it, this once',
    flags: { name: { type: 'string' }, scope: { type: 'string' }, expires: { type: 'string' } },
    load: async () => (await import('./token.ts')).runToken,
  },
  projections: {
    usage: 'projections',
    summary: 'lists every read model, its live generation and how far behind it is',
    load: async () => (await import('./projections.ts')).runProjections,
  },
  rebuild: {
    usage: 'rebuild <name>',
    wordsMax: 1,
    summary: 'fills a read model anew beside the live one and switches to it; a killed rebuild goes on where it was',
    load: async () => (await import('./rebuild.ts')).runRebuild,
  },
  purges: {
    usage: 'purges',
    summary: 'lists what is being deleted for good, how far that is, and what was done in the last week',
    load: async () => (await import('./purges.ts')).runPurges,
  },
  events: {
    usage: 'events <stream or id>',
    wordsMax: 1,
    summary: 'prints the events of one stream, oldest first; the id of an org, source, release … names its stream',
    load: async () => (await import('./events.ts')).runEvents,
  },
  topics: {
    usage: 'topics [ensure]',
    wordsMax: 1,
    summary: 'lists the topics of the message bus and what waits in them; ensure makes those that are missing',
    load: async () => (await import('./topics.ts')).runTopics,
  },
  indices: {
    usage: 'indices [ensure]',
    wordsMax: 1,
    summary:
      'lists the indexes on OpenSearch and whether they are as they should be; ensure makes those that are missing',
    load: async () => (await import('./indices.ts')).runIndices,
  },
  migrate: {
    usage: 'migrate --from embedded --to <address> [<address>] [--into <folder>]',
    wordsMax: 1,
    summary:
      'copies a registry from its data folder to servers, verifies it and fills the read models; can be repeated',
    flags: { from: { type: 'string' }, to: { type: 'string' }, into: { type: 'string' } },
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
  doctor: {
    usage: 'doctor',
    summary:
      'reaches every store that the settings name, looks how it is, and says what to do; ends with 1 on a failure',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
};
