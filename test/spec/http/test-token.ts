import { randomUUID } from 'node:crypto';
import { issueToken } from '../../../commands/token/issue-token.ts';
import type { TokenScope } from '../../../src/domain/enumerations.ts';
import { createHash } from 'node:crypto';
import type { HttpService } from './http-service.ts';

/** A machine token of the running service, as text to send. */
export async function issueTestToken({ registry }: HttpService, scope: TokenScope): Promise<string> {
  const lookup = randomUUID().replaceAll('-', '').slice(0, 12);
  const secret = randomUUID().replaceAll('-', '');
  const commandId = randomUUID();
  await registry.commands.run(
    issueToken,
    {
      name: scope,
      scopes: [scope],
      lookup,
      secretSha256: createHash('sha256').update(secret).digest('hex'),
      start: 'relk_',
      createdBy: 'root',
    },
    { commandId, actor: 'root', correlationId: commandId, cause: 'edit' },
  );
  return `relk_${lookup}_${secret}`;
}
