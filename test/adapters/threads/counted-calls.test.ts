import { describe, expect, it } from 'vitest';
import { countCalls } from '../../../src/adapters/threads/counted-calls.ts';

type Calls = { readonly ask: (question: string) => string };

describe('calls that are counted', () => {
  it('are in hand until they are answered or refused, those of others never', async () => {
    const answers: { readonly resolve: (answer: string) => void; readonly reject: (error: Error) => void }[] = [];
    const thread = {
      call: () => new Promise<never>((resolve, reject) => void answers.push({ resolve: resolve as never, reject })),
    };
    const counted = countCalls<Calls>(thread);
    void thread.call();
    expect(counted.callsInHand()).toBe(0);
    const [first, second] = [counted.call('ask', 'first'), counted.call('ask', 'second')];
    expect(counted.callsInHand()).toBe(2);
    answers[1]!.resolve('yes');
    expect(await first).toBe('yes');
    expect(counted.callsInHand()).toBe(1);
    answers[2]!.reject(new Error('no'));
    await expect(second).rejects.toThrow('no');
    expect(counted.callsInHand()).toBe(0);
  });
});
