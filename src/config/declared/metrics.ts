import { z } from 'zod';
import { setting, wholeNumber } from '../setting-kinds.ts';

/** Numbers for those who run the service. */
export const metricsSettings = {
  METRICS_PORT: setting(
    {
      description:
        'Where Prometheus reads `/metrics` of this process; 0 takes a port that is free. Without it nothing is told. Each process needs its own.',
      mustBe: 'a whole number from 0 to 65535',
    },
    wholeNumber(65_535).exactOptional(),
  ),
  METRICS_HOST: setting(
    {
      description: 'The address for it; `0.0.0.0` lets other machines in, and everybody there may read it.',
      mustBe: 'a host name or an address of this machine',
      fallback: '127.0.0.1',
    },
    z
      .string()
      .regex(/^[\w.:-]{1,253}$/)
      .prefault('127.0.0.1'),
  ),
};
