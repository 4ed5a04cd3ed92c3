import { eventStoreContract } from '../../contract/event-store-contract.ts';
import { createEmbeddedEventStoreHarness } from './embedded-event-store-harness.ts';

eventStoreContract('embedded', createEmbeddedEventStoreHarness());
