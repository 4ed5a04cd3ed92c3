import { messageBusContract } from '../../contract/message-bus-contract.ts';
import { describeKafka } from './describe-kafka.ts';
import { createKafkaHarness } from './kafka-harness.ts';

describeKafka((brokers) => messageBusContract('kafka', createKafkaHarness(brokers)));
