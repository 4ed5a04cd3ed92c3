import type { ConsumeOptions } from '../../ports/message-bus.ts';

export interface ConsumeLimits {
  readonly concurrency: number;
  readonly concurrencyPerKey: number;
}

/** The limits of a consumer, or an error that names what cannot be one. */
export function consumeLimits(options: ConsumeOptions): ConsumeLimits {
  const { concurrency, concurrencyPerKey = 1, topics, delaysMs = new Map<string, number>() } = options;
  for (const [name, value] of Object.entries({ concurrency, concurrencyPerKey, topics: topics.length })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`A consumer cannot have ${value} ${name}.`);
  }
  for (const [topic, delayMs] of delaysMs) {
    if (!Number.isSafeInteger(delayMs) || delayMs < 0)
      throw new RangeError(`${topic} cannot be delayed by ${delayMs}.`);
  }
  return { concurrency, concurrencyPerKey };
}
