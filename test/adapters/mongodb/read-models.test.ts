import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { readModelsContract } from '../../contract/read-models-contract.ts';
import { describeMongo } from './describe-mongo.ts';
import { createMongoBackends } from './mongo-backends.ts';

describeMongo((server) => {
  readModelsContract(
    'MongoDB',
    createMongoBackends(server, (connection, clock) => createMongoReadModels({ connection, clock })),
  );
});
