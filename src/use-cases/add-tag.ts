import { v5 as uuidV5 } from 'uuid';
import { createTag } from '../../commands/tag/create-tag.ts';
import type { QueryDeps } from '../../queries/shape/query-deps.ts';
import { madeTagAt, madeTagNamed, namesInUse } from '../../queries/tag-detail.ts';
import { sameTag } from '../domain/tag-list.ts';
import type { CommandRequest } from '../kernel/command.ts';
import { hyphenated } from '../kernel/slugs.ts';
import type { TagState } from '../domain/tag/state.ts';
import type { CommandResult, CommandRunner } from '../runtime/commands/command-runner.ts';

interface TagServices {
  readonly commands: CommandRunner;
  readonly view: () => Promise<Pick<QueryDeps, 'catalogue' | 'models'>>;
}

interface AddedTag extends Pick<CommandResult<TagState>, 'id' | 'state' | 'position'> {
  /** Neither made nor in use before. */
  readonly isNew: boolean;
}

/**
 * A tag that orgs or products carry is there already: it keeps its spelling, and the slug that it is found by. Who carries
 * it is looked at only for a tag that nobody has made: there may be very many.
 */
export async function addTag(services: TagServices, name: string, request: CommandRequest): Promise<AddedTag> {
  const { commands } = services;
  const view = await services.view();
  const isMade = (await madeTagNamed(view, name)) !== undefined;
  const found = isMade ? await commands.run(createTag, { name }, request) : null;
  // Whoever repeats the command that made it is told what was said at first, so that one goes on.
  if (found !== null && found.events.length === 0) return { ...found, isNew: false };

  const slug = hyphenated(name);
  const inUse = namesInUse(view.catalogue, slug);
  const isNamed = (tag: string): boolean => sameTag(tag, name);
  const [holder] = inUse;
  if (found === null && holder !== undefined && !isNamed(holder) && (await madeTagAt(view, slug)) === undefined) {
    await commands.run(createTag, { name: holder }, { ...request, commandId: uuidV5('holder', request.commandId) });
  }
  const carried = inUse.find(isNamed);
  const added = found ?? (await commands.run(createTag, { name: carried ?? name }, request));
  return { ...added, isNew: carried === undefined && added.events.length > 0 };
}
