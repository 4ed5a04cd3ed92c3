import { randomUUID } from 'node:crypto';
import type { Ids } from '../../ports/ids.ts';

export const systemIds: Ids = { commandId: () => randomUUID() };
