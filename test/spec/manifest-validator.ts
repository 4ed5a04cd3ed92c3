import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { manifestFormat } from '../../src/http/answers/manifest.ts';

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(z.toJSONSchema(manifestFormat, { target: 'draft-2020-12' }));

/** What a validator of JSON Schema finds wrong with a manifest; empty when it is valid. */
export const manifestFaults = (value: unknown): string[] =>
  validate(JSON.parse(JSON.stringify(value))) ? [] : (validate.errors ?? []).map((each) => JSON.stringify(each));
