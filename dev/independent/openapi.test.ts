import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { testPortal, type TestPortal } from '../../apps/server/test/portal.ts';

/** Reads a description and answers, and prints what is wrong: the document by the rules of OpenAPI, each answer by its schema. */
const validator = `
import json, sys
from openapi_spec_validator import validate
from jsonschema import Draft202012Validator
given = json.load(sys.stdin)
description = given['description']
validate(description)
problems = []
for answer in given['answers']:
    schema = {'$ref': answer['schema'], 'components': description['components']} if isinstance(answer['schema'], str) else {**answer['schema'], 'components': description['components']}
    for error in Draft202012Validator(schema).iter_errors(answer['body']):
        problems.append(answer['call'] + ' ' + error.json_path + ': ' + error.message[:200])
print(json.dumps({'problems': problems, 'checked': len(given['answers'])}))
`;
const isThere = spawnSync('python3', ['-c', 'import openapi_spec_validator, jsonschema']).status === 0;
const account = 'EXAMPLE-AU';

type Operation = { operationId: string; responses: Record<string, { content?: Record<string, { schema: object }> }> };

/** The registry API by validators that others wrote: openapi-spec-validator and jsonschema, for Python. */
describe(`the registry API${isThere ? '' : ' (left out: openapi-spec-validator is not on this machine)'}`, () => {
  let portal: TestPortal;
  beforeAll(async () => {
    if (isThere) portal = await testPortal(undefined, { API_CALLS_PER_SECOND: '100000' });
  });
  afterAll(async () => {
    if (isThere) await portal[Symbol.asyncDispose]();
  });

  test.runIf(isThere)('its description is OpenAPI 3.1, and every answer, also to wrong input, is as described', async () => {
    const { data } = await (await portal.as('corin'))(api.apiKeys.createApiKey, {
      account,
      body: { label: 'validator', scopes: [...apiScopeKeys], days: 1 },
    });
    const description = (await (await portal.request('/registry-api/v1/openapi.json')).json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const answers: { call: string; schema: object; body: unknown }[] = [];
    for (const [path, methods] of Object.entries(description.paths))
      for (const [method, { operationId, responses }] of Object.entries(methods))
        for (const parameter of ['1', 'AU', 'x'])
          for (const query of [
            '',
            '?class=mntner&key=MAINT-EXAMPLE-AU&version=1',
            '?name=x&prefix=198.18.0.0/22&resource=198.18.0.0/22&kind=ipv4',
          ]) {
            const answer = await portal.request(path.replace('{account}', account).replace(/\{\w+\}/g, parameter) + query, {
              method: method.toUpperCase(),
              headers: { authorization: `Bearer ${data!.secret}`, ...(method !== 'get' && { 'content-type': 'application/json' }) },
              ...(method !== 'get' && { body: '{}' }),
            });
            expect(answer.status, operationId).toBeLessThan(500);
            const described = responses[answer.status];
            expect(described, `${operationId} ${answer.status}`).toBeDefined();
            const [type] = (answer.headers.get('content-type') ?? '').split(';');
            const schema = described!.content?.[type!]?.schema;
            const text = await answer.text();
            if (schema && type!.endsWith('json'))
              answers.push({ call: `${operationId} ${answer.status}`, schema, body: JSON.parse(text) as unknown });
          }
    const said = execFileSync('python3', ['-c', validator], {
      input: JSON.stringify({ description, answers }),
      maxBuffer: 50_000_000,
    }).toString();
    const { problems, checked } = JSON.parse(said) as { problems: string[]; checked: number };
    expect(problems).toEqual([]);
    expect(checked).toBeGreaterThan(300);
    expect(answers.filter(({ call }) => call.endsWith(' 200')).length).toBeGreaterThan(40);
  });
});
