import { randomUUID } from 'node:crypto';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import type { TokenScope } from '../../../src/domain/enumerations.ts';
import { createToken } from '../../../src/use-cases/create-token.ts';
import type { HttpService } from './http-service.ts';

/** A machine token of the running service, as text to send. */
export async function issueTestToken({ registry }: HttpService, scope: TokenScope): Promise<string> {
  const commandId = randomUUID();
  const { token } = await createToken(
    { commands: registry.commands, random: systemRandom },
    { name: scope, scopes: [scope] },
    { commandId, actor: 'root', correlationId: commandId, cause: 'edit' },
  );
  return token;
}
