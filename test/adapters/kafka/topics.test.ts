import { type Admin, Kafka, logLevel } from 'kafkajs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import {
  declared,
  makeNames,
  newName,
  numbered,
  soon,
  startRecorder,
  valuesOf,
  waitingIn,
} from '../../contract/message-bus/recorder.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { describeKafka } from './describe-kafka.ts';
import { createTestBuses } from './test-buses.ts';

const topicResource = 2;

describeKafka((brokers) => {
  describe('topics of Kafka', () => {
    let admin: Admin;
    const opened = createTestBuses(brokers);
    let buses: [MessageBus, MessageBus];
    beforeEach(async () => {
      admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      buses = [await opened.open(), await opened.open()];
    });
    afterEach(async () => {
      await opened.close();
      await admin.disconnect();
    });

    const newTopic = (fields: Parameters<typeof declared>[0] = {}) => declared({ partitions: 1, ...fields });
    /** The library's own waiting for leaders gives up at a broker that has not heard of the topic yet. */
    const createTopic = (topic: string, configEntries: { name: string; value: string }[]) =>
      admin.createTopics({ topics: [{ topic, numPartitions: 1, configEntries }], waitForLeaders: false });
    const settingsOf = async (name: string, ...settings: string[]): Promise<Record<string, string>> => {
      const resources = [{ type: topicResource, name, configNames: settings }];
      const { resources: found } = await admin.describeConfigs({ resources, includeSynonyms: false });
      const entries = found[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue] as const);
      return Object.fromEntries(entries);
    };

    it('have the settings that were declared, and keep those that an operator has set', async () => {
      const topic = newTopic({ retentionMs: 86_400_000 });
      expect(await buses[0].ensureTopics([topic])).toEqual([]);
      const names = ['cleanup.policy', 'message.timestamp.type', 'retention.ms'];
      expect(await settingsOf(topic.name, ...names)).toEqual({
        'cleanup.policy': 'delete',
        'message.timestamp.type': 'LogAppendTime',
        'retention.ms': '86400000',
      });
      const own = { 'segment.bytes': '20000000', 'retention.ms': '1000', 'message.timestamp.type': 'CreateTime' };
      const configEntries = Object.entries(own).map(([name, value]) => ({ name, value }));
      const resources = [{ type: topicResource, name: topic.name, configEntries }];
      await admin.alterConfigs({ validateOnly: false, resources });
      expect(await buses[0].ensureTopics([topic])).toEqual([]);
      expect(await settingsOf(topic.name, 'segment.bytes', ...names)).toEqual({
        'cleanup.policy': 'delete',
        'message.timestamp.type': 'LogAppendTime',
        'retention.ms': '86400000',
        'segment.bytes': '20000000',
      });
    });

    it('hand over at once although an earlier version kept a delay in their settings', async () => {
      const topic = newTopic();
      const names = { ...(await makeNames(buses[0])), topic: topic.name };
      const configEntries = [{ name: 'min.compaction.lag.ms', value: '3600000' }];
      await createTopic(topic.name, configEntries);
      expect(await buses[0].ensureTopics([topic])).toEqual([]);
      await buses[0].produce(topic.name, numbered(1, 1));
      const { begun } = startRecorder(buses[1], names);
      await soon('it is handed over', () => begun.length === 1);
    });

    it('are told of when messages would get lost in them, or would not fit', async () => {
      const topic = newTopic();
      const configEntries = [
        { name: 'cleanup.policy', value: 'compact' },
        { name: 'max.message.bytes', value: '1000' },
      ];
      await createTopic(topic.name, configEntries);
      const said = await buses[0].ensureTopics([topic]);
      expect(said).toHaveLength(2);
      expect(said[0]).toMatch(/compact/);
      expect(said[1]).toMatch(/1000/);
      for (const sentence of said) expect(sentence).toContain(topic.name);
    });

    it('can be removed under a producer and a consumer, which are told', async () => {
      const topic = newTopic();
      const names = { ...(await makeNames(buses[0])), topic: topic.name };
      await buses[0].ensureTopics([topic]);
      await buses[0].produce(topic.name, numbered(1, 1));
      const recorder = startRecorder(buses[0], names);
      await soon('it consumes', () => recorder.begun.length === 1);
      await admin.deleteTopics({ topics: [topic.name] });
      await expect(recorder.consumer.done).rejects.toThrow(topic.name);
      await expect(buses[0].produce(topic.name, numbered(1, 1))).rejects.toThrow(topic.name);
      await buses[0].produce(names.deadLetterTopic, numbered(1, 1));
    });

    it('that lost messages unread hand over what they still keep, and the loss is logged', async () => {
      const log = createKeptLog();
      const bus = await opened.open({ log });
      const names = await makeNames(bus, { partitions: 1 });
      await bus.produce(names.topic, numbered(10, 10));
      const before = startRecorder(bus, names);
      await soon('all are finished', async () => (await waitingIn(bus, names)) === 0);
      await before.consumer.close();
      await bus.produce(names.topic, numbered(10, 10, 'new'));
      await admin.fetchTopicOffsets(names.topic); // the library deletes only what it knows of
      await admin.deleteTopicRecords({ topic: names.topic, partitions: [{ partition: 0, offset: '17' }] });
      await soon('the loss is seen', async () => (await waitingIn(bus, names)) === 3);
      const { begun } = startRecorder(bus, names);
      await soon('the rest is finished', async () => (await waitingIn(bus, names)) === 0);
      expect(valuesOf(begun)).toEqual(['new-7', 'new-8', 'new-9']);
      expect(log.lines).toEqual([{ level: 'warn', sentence: expect.stringContaining('no longer keeps') }]);
    });

    it('are listed without those that Kafka has for itself', async () => {
      const group = newName('group');
      const topic = newTopic();
      await buses[0].ensureTopics([topic]);
      await buses[0].progress(group, [topic.name]);
      const listed = await buses[0].topics();
      expect(listed).toContain(topic.name);
      expect(listed.filter((name) => name.startsWith('_'))).toEqual([]);
    });
  });
});
