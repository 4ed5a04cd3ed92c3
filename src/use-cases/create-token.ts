import type { z } from 'zod';
import { issueToken } from '../../commands/token/issue-token.ts';
import type { tokenIssueFields } from '../domain/token/fields.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { Random } from '../ports/random.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { createNewToken } from './new-token.ts';

export interface CreatedToken {
  readonly id: string;
  /** Its text, which is in no store: whoever asked sees it this once. */
  readonly token: string;
  readonly position: number;
}

export async function createToken(
  { commands, random }: { readonly commands: CommandRunner; readonly random: Random },
  fields: z.output<typeof tokenIssueFields>,
  request: CommandRequest,
): Promise<CreatedToken> {
  const { token, ...stored } = createNewToken(random);
  const input = { ...fields, ...stored, createdBy: request.actor };
  const { id, position } = await commands.run(issueToken, input, request);
  return { id, token, position };
}
