import { eventStoreContract } from '../../../contract/event-store-contract.ts';
import { createEmbeddedEventStoreHarness } from './harness.ts';

eventStoreContract('embedded', createEmbeddedEventStoreHarness());
