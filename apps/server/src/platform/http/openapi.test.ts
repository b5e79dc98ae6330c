import { errorCatalogue } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { describe, expect, test } from 'vitest';
import { namedSchemas, openApiDocument } from './openapi.ts';

const document = openApiDocument({ title: 'MyRegistry API', url: 'https://portal.example.net' });
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

/** Returns every value under a key anywhere in the document. */
function valuesOf(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(key, value)]);
}

test('every endpoint of the contract is described once, under its id', () => {
  expect(operations.map(operation => operation.operationId).sort()).toEqual(allEndpoints.map(endpoint => endpoint.id).sort());
});

test('every reference leads to a component', () => {
  const references = valuesOf('$ref', document) as string[];
  expect(references.length).toBeGreaterThan(50);
  for (const reference of new Set(references)) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1];
    expect(document.components.schemas, reference).toHaveProperty(name ?? reference);
  }
});

test('schemas that the contract names are referred to by name, inside other schemas too', () => {
  const delegations = document.paths['/api/{account}/resources/delegations']!.get!;
  expect(delegations.responses['200']!.content!['application/json']!.schema).toMatchObject({
    properties: { rows: { type: 'array', items: { $ref: '#/components/schemas/Delegation' } } },
  });
  expect(document.components.schemas.ResourceSummary).toMatchObject({
    properties: { latest: { items: { $ref: '#/components/schemas/Delegation' } } },
  });
});

test('the body of a write allows no additional fields, at any depth', () => {
  const { post } = document.paths['/api/{account}/rpki/roas']!;
  const { schema } = post!.requestBody!.content['application/json']!;
  expect(schema).toMatchObject({ additionalProperties: false, properties: { add: { items: { additionalProperties: false } } } });
  for (const { requestBody, operationId } of operations)
    for (const { schema: each } of Object.values(requestBody?.content ?? {}))
      if (each['properties']) expect(each, operationId).toMatchObject({ additionalProperties: false });
});

test('a schema that contains itself stays finite', () => {
  expect(document.components.schemas.NavigationItem).toMatchObject({
    properties: { children: { items: { $ref: '#/components/schemas/NavigationItem' } } },
  });
});

test('the document survives JSON unchanged and has no keyword of another schema version', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  for (const keyword of ['$defs', 'definitions', 'nullable', '$schema']) expect(valuesOf(keyword, document), keyword).toEqual([]);
});

test('a schema with defaults, which differs between input and output, is not a component', () => {
  expect([...namedSchemas().keys()]).toContain('Delegation');
  expect([...namedSchemas().keys()]).not.toContain('WhoisUpdates');
  expect(document.components.schemas).not.toHaveProperty('WhoisUpdates');
});

describe.each(operations)('$operationId', ({ path, parameters, responses, security, requestBody, method, ...operation }) => {
  test('names every parameter of its path', () => {
    const inPath = parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(parameters.filter(parameter => parameter.in === 'path').every(parameter => parameter.required)).toBe(true);
    expect(path).not.toContain(':');
  });

  test('describes one success and every refusal by status', () => {
    const statuses = Object.keys(responses).map(Number);
    // A call that may wait for approval can also be accepted.
    const waits = allEndpoints.find(({ id }) => id === operation.operationId)?.waitsFor !== undefined;
    expect(statuses.filter(status => status < 300 && status !== 202)).toHaveLength(1);
    expect(statuses.includes(202)).toBe(waits);
    expect(statuses).toContain(500);
    for (const [status, { description }] of Object.entries(responses)) {
      expect(description).not.toBe('');
      for (const [, code] of description.matchAll(/^([A-Z_]+): /gm))
        expect(errorCatalogue[code as keyof typeof errorCatalogue].status).toBe(Number(status));
    }
  });

  test('asks for a bearer unless anyone may call it', () => {
    const open = operation['x-access'].who === 'anyone';
    expect(security).toEqual(open ? [] : [{ bearer: [] }]);
    expect('401' in responses).toBe(!open);
    if (method === 'get') expect(requestBody).toBeUndefined();
  });
});
