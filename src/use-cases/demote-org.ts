import { v5 as uuidV5 } from 'uuid';
import { demoteOrg as demoteOrgCommand } from '../../commands/org/demote-org.ts';
import { promoteOrg } from '../../commands/org/promote-org.ts';
import type { CommandRequest } from '../kernel/command.ts';
import { DomainError, isDomainError } from '../kernel/errors.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';

interface DemotionServices {
  readonly commands: CommandRunner;
  /** Whether the org has a source that is not deleted, when everything up to a position is known. */
  readonly hasSource: (orgId: string, position: number) => Promise<boolean>;
}

/** Makes a stub of an org without sources. */
export async function demoteOrg(
  { commands, hasSource }: DemotionServices,
  orgId: string,
  request: CommandRequest,
): Promise<{ readonly position: number }> {
  const requireNone = async (position: number) => {
    if (!(await hasSource(orgId, position))) return;
    throw new DomainError('conflict', { field: 'sources' }, 'The org has sources; delete them first.');
  };
  await requireNone(0);
  const { position } = await commands.run(demoteOrgCommand, { orgId }, request);
  // A source that came meanwhile found the org tracked: from here it can be seen, and then the org stays so.
  await requireNone(position).catch(async (error: unknown) => {
    if (!isDomainError(error, 'conflict')) throw error; // it is stored, and only cannot be looked at yet
    await commands.run(
      promoteOrg,
      { orgId, sources: {} },
      { ...request, commandId: uuidV5('stay', request.commandId) },
    );
    throw error;
  });
  return { position };
}
