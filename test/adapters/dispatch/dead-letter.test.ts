import { describe, expect, it } from 'vitest';
import { deadLetterOf } from '../../../src/adapters/dispatch/dead-letter.ts';
import type { ReceivedMessage } from '../../../src/ports/message-bus.ts';

const message: ReceivedMessage = {
  topic: 'jobs',
  partition: 3,
  offset: 77,
  producedAtMs: 1,
  key: 'k',
  value: 'v',
  headers: { own: 'yes', 'x-error': 'of an earlier death' },
  attempt: 5,
};

const errorOf = (error: unknown) => deadLetterOf(message, error).headers?.['x-error'];

describe('a dead letter', () => {
  it('is the message as it came and says where it came from', () => {
    expect(deadLetterOf(message, new RangeError('beyond'))).toEqual({
      key: 'k',
      value: 'v',
      headers: {
        own: 'yes',
        'x-origin-topic': 'jobs',
        'x-origin-partition': '3',
        'x-origin-offset': '77',
        'x-error': 'RangeError',
      },
    });
  });

  it('names the kind of error and nothing of its text', () => {
    expect(errorOf(Object.assign(new Error('connect 10.0.0.1 with secret'), { code: 'ECONNREFUSED' }))).toBe(
      'Error ECONNREFUSED',
    );
    expect(errorOf('a secret')).toBe('string');
    expect(errorOf(undefined)).toBe('undefined');
    expect(errorOf(Object.assign(new Error('x'), { name: 'token=abc def', code: 'a b' }))).toBe('Error');
    expect(errorOf(Object.assign(new Error('x'), { name: 'E'.repeat(500) }))).toHaveLength(100);
  });
});
