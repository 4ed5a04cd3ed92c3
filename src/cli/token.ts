import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { tokenScopes } from '../domain/enumerations.ts';
import { nameOwners } from '../domain/name/name-owners.ts';
import { tokenIssueFields } from '../domain/token/fields.ts';
import { createToken } from '../use-cases/create-token.ts';
import { createTokenText } from '../use-cases/new-token.ts';
import { isDomainError } from '../kernel/errors.ts';
import { createCommandRunner } from '../runtime/commands/command-runner.ts';
import { type RunCommand, type CliFlags, UsageError } from './cli-command.ts';
import { withStores } from './with-stores.ts';

const actor = 'system:cli';

function fieldsOf({ name, scope, expires }: CliFlags) {
  const given = { name, scopes: [scope], ...(expires !== undefined && { expiresAt: expires }) };
  const parsed = tokenIssueFields.safeParse(given);
  if (parsed.success) return parsed.data;
  const bad = new Set(parsed.error.issues.map(({ path }) => path[0]));
  if (bad.has('name')) throw new UsageError('--name takes 1 to 80 characters.');
  if (bad.has('scopes')) throw new UsageError(`--scope takes one of ${tokenScopes.join(', ')}.`);
  throw new UsageError('--expires takes a day or a date-time with a zone.');
}

export const runToken: RunCommand = async ({ config, words, flags, json, print, note }) => {
  if (words.join(' ') !== 'create') throw new UsageError('Say: token create.');
  const fields = fieldsOf(flags);
  return withStores(config, async ({ eventStore: store }) => {
    const commands = createCommandRunner({ store, clock: systemClock, random: systemRandom, nameOwners });
    const commandId = systemIds.commandId();
    const request = { commandId, actor, cause: 'edit', correlationId: commandId } as const;
    const tokenText = async () => createTokenText(systemRandom);
    const creating = createToken({ commands, tokenText }, fields, request);
    const { id, token } = await creating.catch((error: unknown) => {
      throw isDomainError(error, 'validation_failed') ? new UsageError('--expires must be in the future.') : error;
    });
    if (json) print(JSON.stringify({ token, id, ...fields }));
    else {
      print(token);
      note(`Keep it: it is shown this once. Send it as "Authorization: Bearer <token>". Its id is ${id}.\n`);
    }
    return 0;
  });
};
