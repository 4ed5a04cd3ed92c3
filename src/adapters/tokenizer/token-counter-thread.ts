import { serveThread } from '../threads/serve-thread.ts';
import { countTokens } from './count-tokens.ts';

export type TokenCounterCalls = {
  readonly count: (texts: readonly string[]) => number[];
};

await serveThread<TokenCounterCalls>(() => ({
  calls: { count: (texts) => texts.map(countTokens) },
  close: () => {},
}));
