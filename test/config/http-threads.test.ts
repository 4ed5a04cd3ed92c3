import { describe, expect, it } from 'vitest';
import { assertHttpThreads, metricsPortOf } from '../../src/config/http-threads.ts';
import { readConfig } from '../../src/config/read-config.ts';

const assertFor = (settings: Record<string, string>) => () => assertHttpThreads(readConfig(settings));

describe('HTTP_THREADS', () => {
  it.each([
    [{ ROLES: 'projector,relay' }, 'HTTP_THREADS is 2, but ROLES (--roles) is projector,relay: only http has requests'],
    [{ METRICS_PORT: '65535' }, 'the metrics take the ports from METRICS_PORT on, 65535 to 65536; they must be below'],
    [{ METRICS_PORT: '4000', PORT: '4001' }, '4000 to 4001; they must be below 65536 and none of them PORT (--port)'],
  ])('of 2 do not go with %j', (settings, sentence) => {
    expect(assertFor({ HTTP_THREADS: '2', ...settings })).toThrow(sentence);
    expect(assertFor(settings)).not.toThrow();
  });

  it.each([{ ROLES: 'http' }, { METRICS_PORT: '0', PORT: '0' }, { METRICS_PORT: '4001', PORT: '4000' }])(
    'of 2 go with %j',
    (settings) => expect(assertFor({ HTTP_THREADS: '2', ...settings })).not.toThrow(),
  );

  it('tell their metrics at ports one behind the other, or at any that are free', () => {
    const portsOf = (settings: Record<string, string>) =>
      [0, 1, 2].map((number) => metricsPortOf(readConfig(settings), number));
    expect(portsOf({ METRICS_PORT: '9464' })).toEqual([9464, 9465, 9466]);
    expect(portsOf({ METRICS_PORT: '0' })).toEqual([0, 0, 0]);
    expect(portsOf({})).toEqual([undefined, undefined, undefined]);
  });
});
