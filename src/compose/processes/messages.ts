import type { ErrorMessage } from '../../adapters/threads/thread-messages.ts';
import type { Config } from '../../config/settings.ts';

/** What a further process is told once, before anything else. Secrets come this way and no other. */
export interface HttpProcessStart {
  readonly config: Config;
  /** What its answers link to. */
  readonly webBaseUrl: string;
  /** Undefined where no metrics are told. */
  readonly metricsPort: number | undefined;
}

export type ToHttpProcess =
  | ({ readonly kind: 'start' } & HttpProcessStart)
  /** The connection itself comes beside the message. */
  | { readonly kind: 'connection'; readonly id: number }
  | { readonly kind: 'stop' };

export type FromHttpProcess =
  | { readonly kind: 'ready'; readonly metricsUrl: string | undefined }
  /** From now on the connection is its own, also if it dies. */
  | { readonly kind: 'taken'; readonly id: number }
  /** Its last words. */
  | { readonly kind: 'failed'; readonly error: ErrorMessage };
