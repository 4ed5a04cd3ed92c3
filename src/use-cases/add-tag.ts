import { v5 as uuidV5 } from 'uuid';
import { createTag } from '../../commands/tag/create-tag.ts';
import { namesInUse } from '../../queries/tag-detail.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CommandRequest } from '../kernel/command.ts';
import { hyphenated } from '../kernel/slugs.ts';
import type { TagState } from '../domain/tag/state.ts';
import type { CommandResult, CommandRunner } from '../runtime/commands/command-runner.ts';

interface TagServices {
  readonly commands: CommandRunner;
  readonly view: () => Promise<{ readonly catalogue: Catalogue }>;
}

interface AddedTag extends Pick<CommandResult<TagState>, 'id' | 'state' | 'position'> {
  /** Neither made nor in use before. */
  readonly isNew: boolean;
}

/** A tag that orgs or products carry is there already: it keeps its spelling, and the slug that it is found by. */
export async function addTag(
  { commands, view }: TagServices,
  name: string,
  request: CommandRequest,
): Promise<AddedTag> {
  const inUse = namesInUse((await view()).catalogue, hyphenated(name));
  const isNamed = (tag: string): boolean => tag.toLowerCase() === name.toLowerCase();
  const [holder] = inUse;
  if (holder !== undefined && !isNamed(holder)) {
    await commands.run(createTag, { name: holder }, { ...request, commandId: uuidV5('holder', request.commandId) });
  }
  const carried = inUse.find(isNamed);
  const { id, state, events, position } = await commands.run(createTag, { name: carried ?? name }, request);
  return { id, state, position, isNew: carried === undefined && events.length > 0 };
}
