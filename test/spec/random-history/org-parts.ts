import { changeOrgTags } from '../../../commands/org/change-org-tags.ts';
import { linkAccount } from '../../../commands/org/link-account.ts';
import { unlinkAccount } from '../../../commands/org/unlink-account.ts';
import { changeProductTags } from '../../../commands/product/change-product-tags.ts';
import { createTag } from '../../../commands/tag/create-tag.ts';
import { writeOverview } from '../../../commands/overview/write-overview.ts';
import { removePlaybook } from '../../../commands/playbook/remove-playbook.ts';
import { writePlaybook } from '../../../commands/playbook/write-playbook.ts';
import type { Command } from '../../../src/kernel/command.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { Seeded } from '../seeded.ts';

type Run = <Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  input: object,
) => Promise<unknown>;

export interface OrgPartsDeps {
  readonly random: Seeded;
  readonly run: Run;
  /** The same, as the generator of texts does it. */
  readonly generate: Run;
  /** Releases that something about the org may tell of. */
  readonly releasesOf: (orgId: string) => readonly string[];
}

/** Everything else that happens to an org; of few values, so that they are taken, the same again or not there. */
export function createOrgParts({ random, run, generate, releasesOf }: OrgPartsDeps) {
  const account = () => ({ platform: random.pick(['github', 'x']), handle: random.pick(['acme', 'Acme', 'rocket']) });
  const text = () => random.pick(['Rockets.', 'Anvils and rockets.', 'Nothing yet.']);
  const tags = () => ({ [random.pick(['add', 'replace'])]: [random.pick(['cli', 'CLI', 'db']), 'web'] });

  const told = (orgId: string) => {
    const releases = releasesOf(orgId);
    const some = () =>
      releases.length === 0 ? [] : Array.from({ length: random.int(0, 3) }, () => random.pick(releases));
    const citations = some().map((releaseId) => ({ sourceUrl: 'https://example.com/cited', releaseId }));
    return { citations, shownReleaseIds: some() };
  };
  const overview = (orgId: string, ownerId: string) => {
    const { citations, shownReleaseIds } = told(orgId);
    const fields = { content: text(), releaseCount: random.int(0, 3), citations };
    return random.chance(50)
      ? generate(writeOverview, { ownerId, fields, shownReleaseIds })
      : run(writeOverview, { ownerId, fields });
  };

  return async (orgId: string, productId: string | undefined): Promise<void> => {
    const ownerId = productId !== undefined && random.chance(30) ? productId : orgId;
    const steps = [
      () => run(linkAccount, { orgId, account: account() }),
      () => run(unlinkAccount, { orgId, account: account() }),
      () => run(changeOrgTags, { orgId, tags: random.chance(30) ? { remove: 'cli' } : tags() }),
      () => (productId === undefined ? undefined : run(changeProductTags, { productId, tags: tags() })),
      () => run(createTag, { name: random.pick(['cli', 'CLI', 'Web']) }),
      // Often, as only some tell of a release that is taken down later.
      ...Array.from({ length: 4 }, () => () => overview(orgId, ownerId)),
      () => run(writePlaybook, { orgId, content: text() }),
      () => run(removePlaybook, { orgId }),
    ];
    await random.pick(steps)();
  };
}
