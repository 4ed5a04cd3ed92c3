import { streamOfId } from '../kernel/ids.ts';
import { type RunCommand, UsageError } from './cli-command.ts';
import { withStores } from './with-stores.ts';

export const runEvents: RunCommand = async ({ config, words, json, print, note }) => {
  const [word] = words;
  if (word === undefined) throw new UsageError('Name a stream or an id, for example registry or org_….');
  const stream = streamOfId(word) ?? word;
  return withStores(config, async ({ eventStore }) => {
    const { events, version } = await eventStore.read(stream);
    if (version === 0) {
      note(`There is no stream ${stream}.\n`);
      return 1;
    }
    if (json) print(JSON.stringify({ stream, version, events: events.map((event) => ({ ...event, stream })) }));
    else {
      for (const event of events) {
        print(`${event.position}  ${event.version}  ${event.type}  ${JSON.stringify(event.data)}`);
      }
    }
    return 0;
  });
};
