import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { GenerationDropped } from '../../ports/search-index.ts';

/** The server has understood what was asked, and does not do it: nothing that waiting would mend. */
export class RefusedByOpenSearch extends Error {
  readonly status: number;
  readonly type: string;

  constructor(what: string, { status, type, reason }: Refusal) {
    super(`OpenSearch refused this with ${status} (${type}): ${what}: ${reason}`);
    this.name = 'RefusedByOpenSearch';
    this.status = status;
    this.type = type;
  }
}

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
}

/** A reason may quote what was sent, which may be a whole text. */
const reasonCharsMax = 300;

/** What the body of an answer, or of one part of it, says of an error. */
export const refusalOf = (status: number, error: unknown): Refusal => {
  if (typeof error !== 'object' || error === null) return { status, type: 'error', reason: String(error ?? '') };
  const { type, reason, root_cause: causes } = error as Readonly<Record<string, unknown>>;
  const [cause] = Array.isArray(causes) ? (causes as Record<string, unknown>[]) : [];
  return {
    status,
    type: String(cause?.['type'] ?? type ?? 'error'),
    reason: String(cause?.['reason'] ?? reason ?? '').slice(0, reasonCharsMax),
  };
};

const tooManyRequests = 429;
const timedOut = 408;

/** It is overloaded, has no copy of an index at hand, starts or stops: it may be well again at any moment. */
export const isPassing = (status: number): boolean =>
  status >= 500 || status === tooManyRequests || status === timedOut;

const isMissingIndex = ({ status, type }: Refusal): boolean => status === 404 && type === 'index_not_found_exception';

/** A block, as of full disks, is a 403 as well: only this type is about who asks. */
const isAboutUser = ({ status, type }: Refusal): boolean =>
  status === 401 || (status === 403 && type === 'security_exception');

/** It refuses who asks. Passwords are changed while servers run, so this may be over at any moment, like an outage. */
class UserRefused extends BackendUnavailable {
  constructor(options: ErrorOptions) {
    super('OpenSearch', options);
    this.name = 'UserRefused';
    this.message =
      'OpenSearch refuses the user or the password of OPENSEARCH_URL, or lets the user not do this: it needs all rights ' +
      'on the indexes whose names begin with OPENSEARCH_INDEX_PREFIX.';
  }
}

/** What callers get for an answer that is an error. The indexes of a generation are gone only when it was dropped. */
export const explainedRefusal = (what: string, refusal: Refusal): Error => {
  const refused = new RefusedByOpenSearch(what, refusal);
  if (isAboutUser(refusal)) return new UserRefused({ cause: refused });
  if (isPassing(refusal.status) || refusal.status === 403)
    return new BackendUnavailable('OpenSearch', { cause: refused });
  return isMissingIndex(refusal) ? new GenerationDropped() : refused;
};

/** Who is refused at the first contact has wrong settings, most likely: an operator should hear of it, and nobody wait. */
export async function firstContact<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UserRefused ? new StartupError(error.message, { cause: error.cause }) : error;
  }
}
