import { createEmbeddedOperationalStore } from '../../../../src/adapters/embedded/operational-store/operational-store.ts';
import { operationalStoreContract } from '../../../contract/operational-store-contract.ts';
import { createEmbeddedBackends } from '../embedded-backends.ts';

const onFatal = (error: Error) => {
  throw error;
};

operationalStoreContract(
  'embedded',
  createEmbeddedBackends((folder, clock) => createEmbeddedOperationalStore({ folder, clock, onFatal })),
);
