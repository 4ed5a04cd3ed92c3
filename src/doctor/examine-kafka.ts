import { probeKafka } from '../adapters/kafka/probe.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { failure, type Finding, well } from '../ports/finding.ts';

const about = 'Kafka';

const advice = {
  misnamed: 'Correct KAFKA_BROKERS.',
  away: 'Start it, or correct KAFKA_BROKERS; its advertised listeners must be reachable from here.',
  refused: 'See that this user may describe, create, read and write the topics.',
};

export async function examineKafka(brokers: string): Promise<Finding[]> {
  const probe = await probeKafka(brokers, systemClock);
  if (probe.state === 'well') return [well(about, `it answers at ${brokers} and lets this user list the topics`)];
  const { state, reason } = probe;
  return [failure(about, state === 'misnamed' ? reason : `${brokers}: ${reason}`, advice[state])];
}
