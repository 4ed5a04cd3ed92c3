import { promoteOrg } from '../../commands/org/promote-org.ts';
import { createSource } from '../../commands/source/create-source.ts';
import { restoreSource as restoreSourceCommand } from '../../commands/source/restore-source.ts';
import type { SourceState } from '../domain/source/state.ts';
import type { CommandRequest } from '../kernel/command.ts';
import { isDomainError } from '../kernel/errors.ts';
import type { CommandResult, CommandRunner } from '../runtime/commands/command-runner.ts';

interface SourceServices {
  readonly commands: CommandRunner;
}

interface AddedSource {
  readonly id: string;
  readonly position: number;
}

/** A stub that gets a source is one no longer (contract 15.3). Answers the position of that. */
export async function trackOrg(
  { commands }: SourceServices,
  orgId: string | null,
  request: CommandRequest,
): Promise<number> {
  if (orgId === null) return 0;
  return (await commands.run(promoteOrg, { orgId, sources: {} }, request)).position;
}

/** An org that was deleted meanwhile is nothing to track. The source is stored: its sender must not take it for refused. */
async function trackLivingOrg(...asked: Parameters<typeof trackOrg>): Promise<number> {
  try {
    return await trackOrg(...asked);
  } catch (error) {
    if (isDomainError(error, 'not_found')) return 0;
    throw error;
  }
}

/** A repeat of the command comes here too, so that no org stays a stub. */
async function withTrackedOrg(
  services: SourceServices,
  { id, state: { orgId }, position }: CommandResult<SourceState>,
  request: CommandRequest,
): Promise<AddedSource> {
  return { id, position: Math.max(position, await trackLivingOrg(services, orgId, request)) };
}

/** The input is checked by the command. */
export async function addSource(
  services: SourceServices,
  fields: unknown,
  request: CommandRequest,
): Promise<AddedSource> {
  return withTrackedOrg(services, await services.commands.run(createSource, fields, request), request);
}

export async function restoreSource(
  services: SourceServices,
  sourceId: string,
  request: CommandRequest,
): Promise<AddedSource> {
  return withTrackedOrg(services, await services.commands.run(restoreSourceCommand, { sourceId }, request), request);
}
