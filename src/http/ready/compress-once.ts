import type { Encoding } from './accepted-forms.ts';
import { compressedForm, type ReadyAnswer, type SentForm } from './ready-answer.ts';

/** Of answers that nobody keeps: those who asked together get the same one, and it is compressed once for them all. */
export function createCompressOnce() {
  const twins = new WeakMap<ReadyAnswer, Map<Encoding, Promise<SentForm>>>();
  return (answer: ReadyAnswer, encoding: Encoding): Promise<SentForm> => {
    const own = twins.get(answer) ?? new Map<Encoding, Promise<SentForm>>();
    twins.set(answer, own);
    const twin = own.get(encoding) ?? compressedForm(answer.plain, encoding);
    own.set(encoding, twin);
    return twin;
  };
}
