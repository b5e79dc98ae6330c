import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { registryApiDescription } from '../../apps/server/src/modules/registry-api/description.ts';

const validator = `
import json, sys
from openapi_spec_validator import validate
validate(json.load(sys.stdin))
print('valid')
`;
const isThere = spawnSync('python3', ['-c', 'import openapi_spec_validator']).status === 0;

/** The description of the registry API by a validator that others wrote: openapi-spec-validator, for Python. */
describe(`the registry API${isThere ? '' : ' (left out: openapi-spec-validator is not on this machine)'}`, () => {
  test.runIf(isThere)('its description is OpenAPI 3.1', () => {
    const description = registryApiDescription({ title: 'MyRegistry registry API', url: 'https://portal.example.net' });
    const said = execFileSync('python3', ['-c', validator], { input: JSON.stringify(description), maxBuffer: 50_000_000 }).toString();
    expect(said.trim()).toBe('valid');
  });
});
