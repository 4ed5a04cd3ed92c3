import type { z } from 'zod';
import { issueToken } from '../../commands/token/issue-token.ts';
import type { tokenIssueFields } from '../domain/token/fields.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { newTokenOf } from './new-token.ts';

export interface CreatedToken {
  readonly id: string;
  /** Its text, which whoever asked sees this once: no store has it, but for a day and sealed that of repeats. */
  readonly token: string;
  readonly position: number;
}

export async function createToken(
  deps: {
    readonly commands: CommandRunner;
    /** The id follows from it: of a command that may be repeated it is the same for every try. */
    readonly tokenText: () => Promise<string>;
  },
  fields: z.output<typeof tokenIssueFields>,
  request: CommandRequest,
): Promise<CreatedToken> {
  const { token, ...stored } = newTokenOf(await deps.tokenText());
  const input = { ...fields, ...stored, createdBy: request.actor };
  const { id, position } = await deps.commands.run(issueToken, input, request);
  return { id, token, position };
}
