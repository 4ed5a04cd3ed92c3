import { v5 as uuidV5 } from 'uuid';
import { abandonPromotion } from '../../commands/org/abandon-promotion.ts';
import { beginPromotion } from '../../commands/org/begin-promotion.ts';
import { promoteOrg as promoteOrgCommand } from '../../commands/org/promote-org.ts';
import { createSource } from '../../commands/source/create-source.ts';
import { restoreSource } from '../../commands/source/restore-source.ts';
import { sourcesOfLocations } from '../domain/org/location-source.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';

interface PromotedOrg {
  readonly createdSources: number;
  readonly position: number;
}

interface PromotionServices {
  readonly commands: CommandRunner;
  /** A location may tell of a product that is gone. */
  readonly isProductThere: (productId: string) => boolean;
}

/** Makes a source of each location of a stub, which is tracked from then on. */
export async function promoteOrg(
  { commands, isProductThere }: PromotionServices,
  orgId: string,
  request: CommandRequest,
): Promise<PromotedOrg> {
  const step = (name: string) => ({ ...request, commandId: uuidV5(name, request.commandId) });
  const begun = await commands.run(beginPromotion, { orgId }, step('begin'));
  const { promotion } = begun.state;
  if (promotion === null) return { createdSources: 0, position: begun.position };

  /** Whoever goes on with a promotion that broke off meets the sources that it made, and brings back deleted ones. */
  const createFrom = async ({ location, fields }: ReturnType<typeof sourcesOfLocations>[number]) => {
    const productId = location.productId !== null && isProductThere(location.productId) ? location.productId : null;
    const commandId = uuidV5(location.id, promotion.id);
    const created = await commands.run(createSource, { ...fields, orgId, productId }, { ...request, commandId });
    if (!created.repeated) return created;
    return commands.run(restoreSource, { sourceId: created.id }, step(`restore ${location.id}`));
  };

  const makeSources = async () => {
    const { name, locations } = begun.state;
    const sources: Record<string, string> = {};
    let highest = begun.position;
    for (const planned of sourcesOfLocations(name, locations)) {
      const { id, position } = await createFrom(planned);
      sources[planned.location.id] = id;
      highest = Math.max(highest, position);
    }
    const { position } = await commands.run(promoteOrgCommand, { orgId, sources }, step('promote'));
    return { createdSources: locations.length, position: Math.max(highest, position) };
  };

  return makeSources().catch(async (error: unknown) => {
    await commands.run(abandonPromotion, { orgId, holder: step('begin').commandId }, step('abandon'));
    throw error;
  });
}
