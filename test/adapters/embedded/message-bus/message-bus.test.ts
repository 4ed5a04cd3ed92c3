import { messageBusContract } from '../../../contract/message-bus-contract.ts';
import { createEmbeddedMessageBusHarness } from './harness.ts';

messageBusContract('embedded', createEmbeddedMessageBusHarness());
