import { fetchLogDeclaration } from './fetch-log.ts';
import { fetchMemoriesDeclaration } from './fetching/fetch-memories.ts';
import { fetchTurnsDeclaration } from './fetching/fetch-turn.ts';
import { idempotencyKeysDeclaration } from './idempotency-keys.ts';
import { sourceContactsDeclaration } from './source-contacts.ts';
import { tokenUsesDeclaration } from './token-uses.ts';
import type { CollectionDeclaration } from '../ports/operational-store.ts';
import { deliveriesDeclaration } from './delivery/delivery-documents.ts';
import { deliveryLogDeclaration } from './delivery/delivery-log.ts';
import { webhookHealthDeclaration } from './delivery/webhook-health.ts';
import { secretKeyMarkDeclaration } from './secrets/secret-key-mark.ts';
import { signingKeysDeclaration } from './secrets/signing-keys.ts';
import { demoMarkDeclaration } from './demo-mark.ts';
import { importRunsDeclaration } from './import-runs.ts';
import { lookupMemoryDeclaration } from './lookup-memory.ts';
import { newSecretsDeclaration } from './secrets/new-secrets.ts';

/**
 * Everything in the operational store that means the same beside another event store. Checkpoints do not: they are
 * positions of one store, and who follows another one begins anew.
 */
export const movableRecords: readonly CollectionDeclaration[] = [
  idempotencyKeysDeclaration,
  newSecretsDeclaration,
  sourceContactsDeclaration,
  fetchTurnsDeclaration,
  fetchMemoriesDeclaration,
  tokenUsesDeclaration,
  fetchLogDeclaration,
  lookupMemoryDeclaration,
  demoMarkDeclaration,
  importRunsDeclaration,
  secretKeyMarkDeclaration,
  signingKeysDeclaration,
  deliveriesDeclaration,
  deliveryLogDeclaration,
  webhookHealthDeclaration,
];
