import { StartupError } from '../../../kernel/startup-error.ts';
import { GenerationDropped, IndexUnavailable, VectorsUnavailable } from '../../../ports/search-index.ts';
import { ThreadEnded } from '../../threads/thread.ts';

/** What SQLite says where the file, its disk or another process is to blame; all else is a slip in a statement. */
const codesOfFile = /^SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|NOTADB|PERM|PROTOCOL|READONLY)/;

/** An error of another thread has lost its class, but for those of a file that cannot be opened. */
export const isOfFileOrThread = (error: unknown): error is Error =>
  error instanceof ThreadEnded ||
  error instanceof StartupError ||
  (error instanceof Error && codesOfFile.test((error as { code?: string }).code ?? ''));

const isOfDropped = (error: unknown): boolean => error instanceof Error && error.name === 'GenerationDropped';

const isOfVectors = (error: unknown): error is Error => error instanceof Error && error.name === 'VectorsUnavailable';

/** Of one who holds a part of the vectors: who holds all of them may be able to answer nevertheless. */
export const isOfPart = (error: unknown): boolean => isOfVectors(error) || isOfFileOrThread(error);

/** What the file or the thread of the vectors fails with leaves words to be found: who asks for those alone learns whether they can be. */
export const explainedNear = (error: unknown): never => {
  if (isOfDropped(error)) throw new GenerationDropped();
  if (isOfVectors(error)) throw new VectorsUnavailable(error.message, { cause: error });
  if (!isOfFileOrThread(error)) throw error;
  throw new VectorsUnavailable(`The vectors cannot be read: ${error.message}`, { cause: error });
};

export const explained =
  (failed: 'opened' | 'read') =>
  (error: unknown): never => {
    if (isOfDropped(error)) throw new GenerationDropped();
    if (!isOfFileOrThread(error)) throw error;
    throw new IndexUnavailable(`The search index cannot be ${failed}: ${error.message}`, { cause: error });
  };
