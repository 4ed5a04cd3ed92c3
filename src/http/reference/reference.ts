import type { PackedFile } from '../../ports/packed-files.ts';

export interface ReferenceFile extends PackedFile {
  readonly etag: string;
}

/** The interface as people read and try it. */
export interface Reference {
  readonly page: () => Promise<string>;
  readonly file: (name: string) => Promise<ReferenceFile | null>;
  /** Part of the addresses of the files: what it names never changes, so it may be kept for ever. */
  readonly version: () => Promise<string>;
}

/**
 * No other host, no script or style but our files, no eval. Pictures of the renderer stand in its style sheet as data. The
 * page may ask this service, which is what trying a request means.
 */
export const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
