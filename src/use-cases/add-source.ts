import { promoteOrg } from '../../commands/org/promote-org.ts';
import { createSource } from '../../commands/source/create-source.ts';
import { restoreSource as restoreSourceCommand } from '../../commands/source/restore-source.ts';
import type { SourceState } from '../domain/source/state.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { CommandResult, CommandRunner } from '../runtime/commands/command-runner.ts';

interface SourceServices {
  readonly commands: CommandRunner;
}

interface AddedSource {
  readonly id: string;
  readonly position: number;
}

/** A stub that gets a source is one no longer (contract 15.3). A repeat of the command comes here too, so none stays so. */
async function trackOrg(
  { commands }: SourceServices,
  { id, state: { orgId }, position }: CommandResult<SourceState>,
  request: CommandRequest,
): Promise<AddedSource> {
  if (orgId === null) return { id, position };
  const tracked = await commands.run(promoteOrg, { orgId, sources: {} }, request);
  return { id, position: Math.max(position, tracked.position) };
}

/** The input is checked by the command. */
export async function addSource(
  services: SourceServices,
  fields: unknown,
  request: CommandRequest,
): Promise<AddedSource> {
  return trackOrg(services, await services.commands.run(createSource, fields, request), request);
}

export async function restoreSource(
  services: SourceServices,
  sourceId: string,
  request: CommandRequest,
): Promise<AddedSource> {
  return trackOrg(services, await services.commands.run(restoreSourceCommand, { sourceId }, request), request);
}
