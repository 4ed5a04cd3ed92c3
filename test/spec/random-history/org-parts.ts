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

/** Everything else that happens to an org; of few values, so that they are taken, the same again or not there. */
export function createOrgParts(random: Seeded, run: Run) {
  const account = () => ({ platform: random.pick(['github', 'x']), handle: random.pick(['acme', 'Acme', 'rocket']) });
  const text = () => random.pick(['Rockets.', 'Anvils and rockets.', 'Nothing yet.']);
  const tags = () => ({ [random.pick(['add', 'replace'])]: [random.pick(['cli', 'CLI', 'db']), 'web'] });

  return async (orgId: string, productId: string | undefined): Promise<void> => {
    const ownerId = productId !== undefined && random.chance(30) ? productId : orgId;
    const steps = [
      () => run(linkAccount, { orgId, account: account() }),
      () => run(unlinkAccount, { orgId, account: account() }),
      () => run(changeOrgTags, { orgId, tags: random.chance(30) ? { remove: 'cli' } : tags() }),
      () => (productId === undefined ? undefined : run(changeProductTags, { productId, tags: tags() })),
      () => run(createTag, { name: random.pick(['cli', 'CLI', 'Web']) }),
      () => run(writeOverview, { ownerId, fields: { content: text(), releaseCount: random.int(0, 3) } }),
      () => run(writePlaybook, { orgId, content: text() }),
      () => run(removePlaybook, { orgId }),
    ];
    await random.pick(steps)();
  };
}
