import { type CliCommand, UsageError } from './cli-command.ts';
import { withStores } from './with-stores.ts';

export const eventsCommand: CliCommand = {
  usage: 'events <stream>',
  summary: 'prints the events of one stream, oldest first',
  run: async ({ config, words, json, print }) => {
    const [stream] = words;
    if (stream === undefined) throw new UsageError('Name a stream, for example org-org_… or registry.');
    return withStores(config, async ({ eventStore }) => {
      const { events, version } = await eventStore.read(stream);
      if (json) print(JSON.stringify({ stream, version, events: events.map((event) => ({ ...event, stream })) }));
      else {
        for (const event of events) {
          print(`${event.position}  ${event.version}  ${event.type}  ${JSON.stringify(event.data)}`);
        }
      }
      return 0;
    });
  },
};
