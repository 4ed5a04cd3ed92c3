import { MongoErrorLabel, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { isTooLarge, isUnavailable, translated } from '../../../src/adapters/mongodb/failures.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { WriteTooLarge } from '../../../src/kernel/write-too-large.ts';

const answerOf = (code: number): MongoServerError => {
  const error = new MongoServerError({ message: 'refused', code });
  error.addErrorLabel(MongoErrorLabel.TransientTransactionError);
  return error;
};

describe('an answer of the server with the label of what passes', () => {
  it.each([
    [257, 'a transaction that is too large'],
    [388, 'a transaction that is too large for the cache'],
    [10_334, 'a document that is too large'],
  ])('and code %i is %s, and no outage: waiting would not mend it', (code) => {
    const error = answerOf(code);
    expect(isTooLarge(error)).toBe(true);
    expect(isUnavailable(error)).toBe(false);
    expect(translated(error)).toBeInstanceOf(WriteTooLarge);
    expect(translated(error)).toMatchObject({ cause: error });
  });

  it('and another code is an outage', () => {
    const error = answerOf(246);
    expect(isTooLarge(error)).toBe(false);
    expect(translated(error)).toBeInstanceOf(BackendUnavailable);
  });
});
