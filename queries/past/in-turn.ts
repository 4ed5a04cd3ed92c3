import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { createJoinedTurns, type JoinedTurns } from '../../src/concurrency/joined-turns.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** As long as a few of the largest orgs take. Whoever waited so long is told to ask again. */
const waitMsMax = 10_000;

/** Releases, sources and products of an org that takes some ten milliseconds. */
const smallOrgMax = 1_000;

/**
 * Of a process, for reads of all that an org was: one at a time, so that many who ask take no more memory and no more of the
 * thread than one. Small orgs are read beside the large ones: nobody waits for seconds because of an org that others ask for.
 */
export interface WholeOrgTurns {
  readonly small: JoinedTurns;
  readonly large: JoinedTurns;
}

export const createWholeOrgTurns = (clock: Pick<Clock, 'sleep'>): WholeOrgTurns => ({
  small: createJoinedTurns(clock, 1),
  large: createJoinedTurns(clock, 1),
});

interface TurnDeps {
  readonly catalogue: Pick<Catalogue, 'productsOfOrg' | 'sourcesOfOrg' | 'instantsOf'>;
  readonly wholeOrgTurns: WholeOrgTurns;
}

/** By what there is today; releases that were taken down are few. */
const isSmall = ({ catalogue }: TurnDeps, orgId: string): boolean => {
  const sources = catalogue.sourcesOfOrg(orgId);
  let size = sources.length + catalogue.productsOfOrg(orgId).length;
  for (const { id } of sources) {
    if (size > smallOrgMax) return false;
    const { published, undatedCount } = catalogue.instantsOf(id);
    size += published.length + undatedCount;
  }
  return size <= smallOrgMax;
};

/** What somebody asks about an org. */
interface OrgQuestion {
  readonly orgId: string;
  /** Texts are read for it, which may be long: however few releases there are, it takes its turn with large orgs. */
  readonly readsTexts?: boolean;
  /** Which question, and all that its answer follows from beside the registry and the present moment; it has a JSON. */
  readonly asked: readonly unknown[];
}

/** Those who wait with equal questions are answered together. */
export const inTurn = async <Answer extends object>(
  deps: TurnDeps,
  { orgId, readsTexts = false, asked }: OrgQuestion,
  read: () => Promise<Answer>,
): Promise<Answer> => {
  const { small, large } = deps.wholeOrgTurns;
  const turns = !readsTexts && isSmall(deps, orgId) ? small : large;
  const answer = await turns.run(JSON.stringify([orgId, ...asked]), waitMsMax, read);
  if (answer === null) throw new DomainError('service_unavailable');
  return answer;
};
