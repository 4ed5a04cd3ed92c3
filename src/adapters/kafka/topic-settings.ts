import kafkajs, { type Admin, type IResourceConfigEntry } from 'kafkajs';
import type { TopicDeclaration } from '../../ports/message-bus.ts';

const { ConfigResourceTypes, ConfigSource } = kafkajs; // Node does not see all names of a CommonJS module

/** What one record of a message of the most bytes needs, which is also what brokers take by default. */
const recordBytesMax = 1_048_588;

type Settings = ReadonlyMap<string, { readonly value: string; readonly isOfTopic: boolean }>;

const wantedSettings = ({ retentionMs }: TopicDeclaration): Readonly<Record<string, string>> => ({
  'retention.ms': String(retentionMs),
  'message.timestamp.type': 'LogAppendTime', // one clock for all who produce
});

const entriesOf = (settings: Readonly<Record<string, string>>): IResourceConfigEntry[] =>
  Object.entries(settings).map(([name, value]) => ({ name, value }));

/** For a topic that is made. */
export const newTopicSettings = (topic: TopicDeclaration): IResourceConfigEntry[] =>
  entriesOf({ 'cleanup.policy': 'delete', ...wantedSettings(topic) });

async function readSettings(admin: Admin, topics: readonly string[]): Promise<Map<string, Settings>> {
  const resources = topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name }));
  const { resources: found } = await admin.describeConfigs({ resources, includeSynonyms: false });
  return new Map(
    found.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(
        configEntries.map(({ configName, configValue, configSource }) => [
          configName,
          { value: configValue, isOfTopic: configSource === ConfigSource.TOPIC_CONFIG },
        ]),
      ),
    ]),
  );
}

/** All settings that the topic has of its own and shall have: what is not named is taken away from it. */
function changedSettings(declared: TopicDeclaration, settings: Settings): Record<string, string> | null {
  const own = Object.fromEntries(
    [...settings].flatMap(([name, { value, isOfTopic }]) => (isOfTopic ? [[name, value]] : [])),
  );
  const wanted = wantedSettings(declared);
  const isAsWanted = Object.entries(wanted).every(([name, value]) => settings.get(name)?.value === value);
  return isAsWanted ? null : { ...own, ...wanted };
}

function differences({ name }: TopicDeclaration, settings: Settings): string[] {
  const policy = settings.get('cleanup.policy')?.value ?? 'delete';
  const bytes = Number(settings.get('max.message.bytes')?.value ?? recordBytesMax);
  return [
    ...(policy === 'delete' ? [] : [`The topic ${name} has cleanup.policy ${policy}, not delete: messages get lost.`]),
    ...(bytes >= recordBytesMax
      ? []
      : [`The topic ${name} has max.message.bytes ${bytes}; ${recordBytesMax} are needed for the largest messages.`]),
  ];
}

/** Makes the settings of topics that are there what was declared; answers sentences about what it leaves alone. */
export async function ensureSettings(admin: Admin, topics: readonly TopicDeclaration[]): Promise<string[]> {
  const found = await readSettings(
    admin,
    topics.map(({ name }) => name),
  );
  const resources = topics.flatMap((topic) => {
    const settings = changedSettings(topic, found.get(topic.name)!);
    return settings === null
      ? []
      : [{ type: ConfigResourceTypes.TOPIC, name: topic.name, configEntries: entriesOf(settings) }];
  });
  if (resources.length > 0) await admin.alterConfigs({ validateOnly: false, resources });
  return topics.flatMap((topic) => differences(topic, found.get(topic.name)!));
}
