import { fetchLogDeclaration } from '../http/fetch-log.ts';
import { idempotencyKeysDeclaration } from '../http/idempotency.ts';
import { sourceContactsDeclaration } from '../http/source-contacts.ts';
import { tokenUsesDeclaration } from '../http/token-uses.ts';
import type { CollectionDeclaration } from '../ports/operational-store.ts';
import { deliveriesDeclaration } from '../runtime/deliverer/delivery-documents.ts';
import { deliveryLogDeclaration } from '../runtime/deliverer/delivery-log.ts';
import { subscriptionHealthDeclaration } from '../runtime/deliverer/subscription-health.ts';
import { secretKeyMarkDeclaration } from '../runtime/secret-key-check.ts';
import { signingKeysDeclaration } from '../runtime/signing-keys.ts';
import { demoDeclaration } from './demo.ts';
import { importRunsDeclaration } from './import-runs.ts';

/**
 * Everything in the operational store that means the same beside another event store. Checkpoints do not: they are
 * positions of one store, and who follows another one begins anew.
 */
export const movableCollections: readonly CollectionDeclaration[] = [
  idempotencyKeysDeclaration,
  sourceContactsDeclaration,
  tokenUsesDeclaration,
  fetchLogDeclaration,
  demoDeclaration,
  importRunsDeclaration,
  secretKeyMarkDeclaration,
  signingKeysDeclaration,
  deliveriesDeclaration,
  deliveryLogDeclaration,
  subscriptionHealthDeclaration,
];
