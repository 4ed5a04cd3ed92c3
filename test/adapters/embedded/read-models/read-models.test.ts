import { createEmbeddedReadModels } from '../../../../src/adapters/embedded/read-models/read-models.ts';
import { readModelsContract } from '../../../contract/read-models-contract.ts';
import { createEmbeddedBackends } from '../embedded-backends.ts';

readModelsContract(
  'embedded',
  createEmbeddedBackends((folder, clock) => createEmbeddedReadModels({ folder, clock })),
);
