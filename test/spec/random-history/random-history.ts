import { changeOrg } from '../../../commands/org/change-org.ts';
import { createOrg } from '../../../commands/org/create-org.ts';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { purgeOrg } from '../../../commands/org/purge-org.ts';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import { changeProduct } from '../../../commands/product/change-product.ts';
import { createProduct } from '../../../commands/product/create-product.ts';
import { deleteProduct } from '../../../commands/product/delete-product.ts';
import { purgeProduct } from '../../../commands/product/purge-product.ts';
import { restoreProduct } from '../../../commands/product/restore-product.ts';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { suppressReleases } from '../../../commands/release/suppress-releases.ts';
import { unsuppressRelease } from '../../../commands/release/unsuppress-release.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { deleteSource } from '../../../commands/source/delete-source.ts';
import { purgeSource } from '../../../commands/source/purge-source.ts';
import type { Command } from '../../../src/kernel/command.ts';
import { isDomainError } from '../../../src/kernel/errors.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { BatchRunner } from '../../../src/runtime/commands/batch-runner.ts';
import type { CommandRunner } from '../../../src/runtime/commands/command-runner.ts';
import { addSource as addSourceToOrg, restoreSource } from '../../../src/use-cases/add-source.ts';
import { eraseRelease } from '../../../src/use-cases/erase-release.ts';
import { linkCoverage } from '../../../src/use-cases/link-coverage.ts';
import { unlinkCoverage } from '../../../src/use-cases/unlink-coverage.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { requestOf } from '../worlds/embedded-registry.ts';
import type { FakeClock } from '../fake-clock.ts';
import type { Seeded } from '../seeded.ts';
import { createCollectionSteps } from './collection-steps.ts';
import { createEntityFields } from './entity-fields.ts';
import { createOrgParts } from './org-parts.ts';
import { createLifetimes, type Entity } from './lifetimes.ts';
import { randomPause } from './release-dates.ts';
import { randomEdit, randomItem } from './release-items.ts';
import { createSourceTexts } from './source-texts.ts';
import { createTrackingSteps, type KnownParts } from './tracking-steps.ts';

export const historyWebUrl = 'https://registry.example';

export interface RandomHistoryDeps {
  readonly random: Seeded;
  readonly clock: FakeClock;
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  /** What the scheduler does every minute. */
  readonly dateDueReleases: () => Promise<void>;
  /** What the purger does. */
  readonly purgeAll: () => Promise<void>;
  /** What readers know by now. */
  readonly knownParts: KnownParts;
}

export interface RandomHistory {
  /**
   * Does one thing, or tries to: a command that is refused is part of the history too. The first steps, counted from 1, make
   * something that the others can happen to. Answers what it was.
   */
  readonly step: (number: number) => Promise<string>;
}

type Step = () => Promise<unknown>;

/** A seeded run of real commands over a small world, where most of them meet something that was there before. */
export function createRandomHistory(deps: RandomHistoryDeps): RandomHistory {
  const { random, clock, commands, batches } = deps;
  const services = { commands, batches, clock, random: systemRandom };
  const fields = createEntityFields(random);
  const releaseIds: string[] = [];
  const sourceOfRelease = new Map<string, string>();
  const usedDates: string[] = [];
  let requests = 0;

  const nextRequest = () => {
    requests += 1;
    return requestOf(requests);
  };
  /** Undefined when the command was refused. */
  const attempt = async <Result>(command: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await command();
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return undefined;
    }
  };
  const run = <Input, State, E extends DomainEvent, Facts extends object>(
    command: Command<Input, State, E, Facts>,
    input: object,
  ) => attempt(() => commands.run(command, input, nextRequest()));
  const isDone = <Input, State, E extends DomainEvent, Facts extends object>(
    command: Command<Input, State, E, Facts>,
    input: object,
  ) => run(command, input).then((result) => result !== undefined);

  const orgs = createLifetimes(random, {
    hide: (orgId) => isDone(changeOrg, { orgId, changes: { isHidden: true } }),
    unhide: (orgId) => isDone(changeOrg, { orgId, changes: { isHidden: false } }),
    remove: (orgId) => isDone(deleteOrg, { orgId }),
    restore: (orgId) => isDone(restoreOrg, { orgId }),
    purge: (orgId) => isDone(purgeOrg, { orgId, isAsked: true }),
  });
  const products = createLifetimes(random, {
    hide: (productId) => isDone(changeProduct, { productId, changes: { isHidden: true } }),
    unhide: (productId) => isDone(changeProduct, { productId, changes: { isHidden: false } }),
    remove: (productId) => isDone(deleteProduct, { productId }),
    restore: (productId) => isDone(restoreProduct, { productId }),
    purge: (productId) => isDone(purgeProduct, { productId, isAsked: true }),
  });
  const sources = createLifetimes(random, {
    hide: (sourceId) => isDone(changeSource, { sourceId, changes: { isHidden: true } }),
    unhide: (sourceId) => isDone(changeSource, { sourceId, changes: { isHidden: false } }),
    remove: (sourceId) => isDone(deleteSource, { sourceId }),
    restore: async (sourceId) => (await attempt(() => restoreSource(services, sourceId, nextRequest()))) !== undefined,
    purge: (sourceId) => isDone(purgeSource, { sourceId, isAsked: true }),
  });

  const added = (entities: Entity[], created: { readonly id: string } | undefined, orgId: string | null) => {
    if (created !== undefined) entities.push({ id: created.id, orgId });
  };
  /** A product of the org, sometimes of another one, or none. */
  const productFor = (orgId: string | null): string | null => {
    const likely = random.chance(85) ? products.ofOrg(orgId) : products.all;
    return likely.length === 0 || random.chance(25) ? null : random.pick(likely).id;
  };

  const addOrg: Step = async () => {
    const isHidden = random.chance(5);
    added(orgs.all, await run(createOrg, { ...fields.nameAndSlug(), ...fields.org(), isHidden }), null);
  };
  const addProduct: Step = async () => {
    const orgId = orgs.any()?.id;
    if (orgId === undefined) return;
    added(products.all, await run(createProduct, { orgId, ...fields.nameAndSlug(), ...fields.product() }), orgId);
  };
  const addSource: Step = async () => {
    const orgId = random.chance(15) ? null : (orgs.any()?.id ?? null);
    const parents = { orgId, productId: random.chance(60) ? productFor(orgId) : null };
    const described = { url: fields.sourceUrl(), ...fields.nameAndSlug(), ...fields.source() };
    const isHidden = random.chance(5);
    const input = { ...parents, ...described, isHidden };
    added(sources.all, await attempt(() => addSourceToOrg(services, input, nextRequest())), orgId);
  };

  const changeOrgPart = createOrgParts({
    random,
    run,
    generate: (command, input) => attempt(() => commands.run(command, input, { ...nextRequest(), cause: 'generate' })),
    releasesOf: (orgId) => {
      const own = sources.ofOrg(orgId).map(({ id }) => id);
      return releaseIds.filter((id) => own.includes(sourceOfRelease.get(id) ?? ''));
    },
  });
  const changeParts: Step = async () => {
    const orgId = orgs.any()?.id;
    if (orgId !== undefined) await changeOrgPart(orgId, products.any()?.id);
  };
  const renameOrg: Step = async () => {
    const orgId = orgs.any()?.id;
    if (orgId === undefined) return;
    const sourceFor = () => {
      const own = sources.ofOrg(orgId);
      return own.length === 0 || random.chance(60) ? null : random.pick(own).id;
    };
    const published = fields.locations(() => ({ productId: productFor(orgId), sourceId: sourceFor() }));
    const described = { ...fields.nameAndSlug(), ...fields.org(), ...fields.entityNotice() };
    await run(changeOrg, { orgId, changes: { ...described, ...published } });
  };
  const renameProduct: Step = async () => {
    const productId = products.any()?.id;
    if (productId !== undefined) {
      await run(changeProduct, {
        productId,
        changes: { ...fields.name(), ...fields.product(), ...fields.entityNotice() },
      });
    }
  };
  const changeAnySource = (changes: (source: Entity) => object): Step => {
    return async () => {
      const source = sources.any();
      if (source !== undefined) await run(changeSource, { sourceId: source.id, changes: changes(source) });
    };
  };

  const writeSourceText = createSourceTexts(random, run);
  const writeText: Step = async () => {
    const sourceId = sources.any()?.id;
    if (sourceId !== undefined) await writeSourceText(sourceId);
  };

  const ingest: Step = async () => {
    const sourceId = sources.any()?.id;
    if (sourceId === undefined) return;
    const items = Array.from({ length: random.int(1, 6) }, () => randomItem(random, clock.nowMs(), usedDates));
    for (const { publishedAt } of items as { publishedAt?: string | null }[]) {
      if (publishedAt != null) usedDates.push(publishedAt);
    }
    const input = { sourceId, items, emit: random.chance(80), webBaseUrl: historyWebUrl };
    const answer = await attempt(() => batches.run(ingestReleases, input, nextRequest()));
    for (const { id } of answer?.results ?? []) {
      if (!releaseIds.includes(id)) releaseIds.push(id);
      sourceOfRelease.set(id, sourceId);
    }
  };
  const edit: Step = async () => {
    if (releaseIds.length === 0) return;
    const input = { releaseId: random.pick(releaseIds), ...randomEdit(random, clock.nowMs(), usedDates) };
    await run(changeRelease, { ...input, webBaseUrl: historyWebUrl });
  };
  const onRelease = (act: (releaseId: string) => Promise<unknown>): Step => {
    return async () => {
      if (releaseIds.length > 0) await attempt(() => act(random.pick(releaseIds)));
    };
  };
  const erase = onRelease((id) => eraseRelease(services, id, nextRequest()));
  const suppress = onRelease((id) => {
    const ids = [id, ...Array.from({ length: random.int(0, 3) }, () => random.pick(releaseIds))];
    const reason = random.pick([undefined, 'Spam', 'Wrong']);
    return batches.run(suppressReleases, { releaseIds: ids, reason }, nextRequest());
  });
  const unsuppress = onRelease((releaseId) => commands.run(unsuppressRelease, { releaseId }, nextRequest()));
  const link = onRelease((canonicalId) => {
    const coverageIds = Array.from({ length: random.int(1, 3) }, () => random.pick(releaseIds));
    return linkCoverage(services, { canonicalId, coverageIds, decidedBy: 'human:test' }, nextRequest());
  });
  const unlink = onRelease((id) => unlinkCoverage(services, id, nextRequest()));
  const pass: Step = async () => clock.advance(randomPause(random));

  const steps: readonly (readonly [weight: number, step: Step])[] = [
    [3, addOrg],
    [4, addProduct],
    [6, addSource],
    [4, renameOrg],
    [8, changeParts],
    [2, renameProduct],
    [3, changeAnySource(() => ({ ...fields.nameAndSlug(), ...fields.source() }))],
    [6, changeAnySource(({ orgId }) => ({ productId: productFor(orgId) }))],
    [3, changeAnySource(() => ({ isPrimary: true }))],
    ...[orgs, products, sources].flatMap(
      ({ hide, unhide, remove, restore, purge }) =>
        [
          [2, hide],
          [4, unhide],
          [2, remove],
          [5, restore],
          [1, purge],
        ] as const,
    ),
    [10, writeText],
    [30, ingest],
    [14, edit],
    [4, erase],
    [6, suppress],
    [8, unsuppress],
    [12, link],
    [4, unlink],
    [9, pass],
    [4, deps.dateDueReleases],
    [3, deps.purgeAll],
    ...createTrackingSteps({ random, fields, services, attempt, nextRequest, ...deps.knownParts, orgs, sources }),
    ...createCollectionSteps({ random, fields, candidates: () => [...orgs.all, ...products.all], run }),
  ];
  const hat = steps.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));
  const first: readonly Step[] = [
    addOrg,
    addOrg,
    addProduct,
    addProduct,
    addSource,
    addSource,
    addSource,
    ingest,
    ingest,
  ];

  return {
    step: async (number) => {
      const step = first[number - 1] ?? random.pick(hat);
      await step();
      return step.name;
    },
  };
}
