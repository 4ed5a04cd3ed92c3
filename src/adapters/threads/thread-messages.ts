import type { MessagePort } from 'node:worker_threads';
import { StartupError } from '../../kernel/startup-error.ts';

/** What a thread can be asked: a name, one input that can be cloned, and an answer. */
export type ThreadCalls = Record<string, (input: never) => unknown>;

/** Cloning an error keeps neither its class nor its code. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
}

export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  /** Another thread calls over this port from now on. */
  | { readonly kind: 'join'; readonly port: MessagePort }
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'serving' }
  | { readonly kind: 'failed'; readonly error: ErrorMessage }
  | { readonly kind: 'died'; readonly error: ErrorMessage }
  | { readonly kind: 'answer'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: ErrorMessage };

export function describeError(error: unknown): ErrorMessage {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined, code: undefined };
  const { name, message, stack } = error;
  return { name, message, stack, code: (error as { code?: string }).code };
}

export function restoreError({ name, message, stack, code }: ErrorMessage): Error {
  const error = name === 'StartupError' ? new StartupError(message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, { name }, code === undefined ? undefined : { code });
}
