import { once } from 'node:events';
import { afterAll, expect, it } from 'vitest';
import { createChildProcesses } from '../../spec/processes/child-processes.ts';
import { describeKafka } from './describe-kafka.ts';

const children = createChildProcesses();
afterAll(() => children.killAll());

const exitCode = async (...words: string[]): Promise<unknown> => {
  const { child } = children.run(import.meta.url, 'process-exit-child', ...words);
  return (await once(child, 'exit'))[0];
};

describeKafka((brokers) => {
  it('lets the process end by itself after the bus was closed', async () => {
    expect(await exitCode(brokers)).toBe(0);
  });
});

it('lets the process end by itself when no broker was ever there', async () => {
  expect(await exitCode('127.0.0.1:1', 'absent')).toBe(0);
});
