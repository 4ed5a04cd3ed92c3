import { messageBusContract } from '../../contract/message-bus-contract.ts';
import { createEmbeddedMessageBusHarness } from './embedded-message-bus-harness.ts';

messageBusContract('embedded', createEmbeddedMessageBusHarness());
