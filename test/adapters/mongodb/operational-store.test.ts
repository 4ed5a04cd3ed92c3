import { createMongoOperationalStore } from '../../../src/adapters/mongodb/operational-store/operational-store.ts';
import { operationalStoreContract } from '../../contract/operational-store-contract.ts';
import { describeMongo } from './describe-mongo.ts';
import { createMongoBackends } from './mongo-backends.ts';

describeMongo((server) => {
  operationalStoreContract(
    'MongoDB',
    createMongoBackends(server, (connection, clock) => createMongoOperationalStore({ connection, clock })),
  );
});
