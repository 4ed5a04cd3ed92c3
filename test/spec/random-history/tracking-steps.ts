import { beginPromotion } from '../../../commands/org/begin-promotion.ts';
import { createStub } from '../../../commands/org/create-stub.ts';
import { requestTracking } from '../../../commands/org/request-tracking.ts';
import type { CommandRequest } from '../../../src/kernel/command.ts';
import type { CommandRunner } from '../../../src/runtime/commands/command-runner.ts';
import { demoteOrg } from '../../../src/use-cases/demote-org.ts';
import { promoteOrg } from '../../../src/use-cases/promote-org.ts';
import type { Seeded } from '../seeded.ts';
import type { createEntityFields } from './entity-fields.ts';
import type { createLifetimes } from './lifetimes.ts';

/** What promoting and demoting ask of the read side. */
export interface KnownParts {
  readonly hasSource: (orgId: string) => Promise<boolean>;
  readonly isProductThere: (productId: string) => boolean;
}

export interface TrackingStepsDeps extends KnownParts {
  readonly random: Seeded;
  readonly fields: ReturnType<typeof createEntityFields>;
  readonly services: { readonly commands: CommandRunner };
  /** Undefined when it was refused. */
  readonly attempt: <Result>(act: () => Promise<Result>) => Promise<Result | undefined>;
  readonly nextRequest: () => CommandRequest;
  readonly orgs: ReturnType<typeof createLifetimes>;
  readonly sources: ReturnType<typeof createLifetimes>;
}

type WeightedStep = readonly [weight: number, step: () => Promise<unknown>];

/** Stubs that come, are asked for and promoted, and orgs that become stubs again. */
export function createTrackingSteps(deps: TrackingStepsDeps): WeightedStep[] {
  const { random, fields, services, attempt, nextRequest, hasSource, isProductThere, orgs, sources } = deps;
  const { commands } = services;
  const stubIds: string[] = [];

  const addStub = async () => {
    const stub = { ...fields.name(), domain: fields.domain(), locations: fields.stubLocations() };
    const created = await attempt(() => commands.run(createStub, stub, nextRequest()));
    if (created === undefined) return;
    stubIds.push(created.id);
    orgs.all.push({ id: created.id, orgId: null });
  };
  // Most often one that was a stub once: little of this can happen to any other.
  const onStub = (act: (orgId: string) => Promise<unknown>) => async () => {
    const orgId = stubIds.length > 0 && random.chance(80) ? random.pick(stubIds) : orgs.any()?.id;
    if (orgId !== undefined) await attempt(() => act(orgId));
  };
  /** The other steps meet the sources that a promotion makes. */
  const promote = onStub((orgId) => {
    const meetingSources: CommandRunner = {
      run: async (command, input, request) => {
        const result = await commands.run(command, input, request);
        const isKnown = sources.all.some(({ id }) => id === result.id);
        if (command.name === 'CreateSource' && !isKnown) sources.all.push({ id: result.id, orgId });
        return result;
      },
    };
    return promoteOrg({ commands: meetingSources, isProductThere }, orgId, nextRequest());
  });

  return [
    [3, addStub],
    [2, promote],
    [3, onStub((orgId) => demoteOrg({ commands, hasSource }, orgId, nextRequest()))],
    [2, onStub((orgId) => commands.run(requestTracking, { orgId }, nextRequest()))],
    [1, onStub((orgId) => commands.run(beginPromotion, { orgId }, nextRequest()))],
  ];
}
