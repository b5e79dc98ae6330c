import { setImmediate as letOthersWork } from 'node:timers/promises';
import { type Endpoint, errorCatalogue, isUpload } from '@portal/contract';
import { allEndpoints, contract } from '@portal/contract/api';
import { errorsOf } from '@portal/contract/declared-errors';
import { type FileKind, fileKinds } from '@portal/contract/file-kinds';
import * as z from 'zod/mini';

type JsonSchema = Record<string, unknown>;
type Response = { description: string; content?: Record<string, { schema: JsonSchema }> };
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Response>;
  security: Record<string, string[]>[];
  'x-access': Endpoint['access'];
  'x-activity'?: string;
};
export type OpenApi = {
  openapi: '3.1.1';
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
};

/** Returns the meaning of a schema as JSON Schema, without the promise of answers that they have no other members. */
const meaning = (schema: z.core.$ZodType, io: 'input' | 'output'): string =>
  JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  );

/** Schemas the contract exports by name, each converted on demand. */
function* lookedAt(): Generator<[string, z.core.$ZodType] | null> {
  for (const [name, value] of Object.entries<unknown>(contract)) {
    if (Object(value)._zod === undefined) continue;
    const schema = value as z.core.$ZodType;
    yield meaning(schema, 'input') === meaning(schema, 'output') ? [name, schema] : null;
  }
}

let named: ReadonlyMap<string, z.core.$ZodType> | undefined;
const names = z.registry<{ id: string }>();

function keepNamed(found: readonly ([string, z.core.$ZodType] | null)[]): ReadonlyMap<string, z.core.$ZodType> {
  named = new Map(found.filter(each => each !== null));
  for (const [id, schema] of named) names.add(schema, { id });
  return named;
}

/**
 * Returns schemas the contract exports under a name, by that name: they become components, everything else is inlined. One component serves
 * both directions, so a field with a default (optional in, present out) can't be in one. Computed lazily: it takes a third of a second, which
 * programs that don't describe the API save.
 */
export const namedSchemas = (): ReadonlyMap<string, z.core.$ZodType> => named ?? keepNamed([...lookedAt()]);

const errorAnswer = 'ErrorAnswer';
const errorAnswerSchema: JsonSchema = {
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          code: { type: 'string', enum: Object.keys(errorCatalogue) },
          message: { type: 'string' },
          traceId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
          field: { type: 'string', description: 'What of the request it is about: `email`, `decisions.3.reason`, `body`, `query`.' },
        },
        required: ['code', 'message', 'traceId'],
      },
    },
  },
  required: ['errors'],
};

type Described = { title: string; url: string; version?: string; endpoints?: readonly Endpoint[] };

/** Returns the document as JSON. It is built on the first request, and other requests are answered between two endpoints. */
export async function openApiText(described: Described): Promise<string> {
  if (!named) {
    const found: ([string, z.core.$ZodType] | null)[] = [];
    for (const each of lookedAt()) {
      found.push(each);
      await letOthersWork();
    }
    if (!named) keepNamed(found);
  }
  for (const endpoint of described.endpoints ?? allEndpoints) {
    operations.set(endpoint, operationOf(endpoint));
    await letOthersWork();
  }
  return JSON.stringify(openApiDocument(described));
}

/** The description of every call (OpenAPI 3.1.1, schemas in JSON Schema 2020-12), derived from the contract. */
export function openApiDocument({ title, url, version = '1', endpoints = allEndpoints }: Described): OpenApi {
  namedSchemas();
  const paths: OpenApi['paths'] = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const operation = operations.get(endpoint) ?? operationOf(endpoint);
    operations.set(endpoint, operation);
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation;
  }
  return {
    openapi: '3.1.1',
    info: { title, version },
    servers: [{ url }],
    paths,
    components: {
      schemas: (components ??= componentSchemas()),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

/** Built once per process: they depend only on the contract. */
const operations = new WeakMap<Endpoint, Operation>();
let components: Record<string, JsonSchema> | undefined;

function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(names, { target: 'draft-2020-12', unrepresentable: 'any', uri: componentOf });
  return {
    ...Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidied(schema as JsonSchema)])),
    [errorAnswer]: errorAnswerSchema,
  };
}

const componentOf = (id: string): string => `#/components/schemas/${id}`;

function operationOf(endpoint: Endpoint): Operation {
  const { id, summary, access, activity, body } = endpoint;
  return {
    operationId: id,
    tags: [id.split('.', 1)[0]!],
    summary,
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: responsesOf(endpoint),
    security: access.who === 'anyone' ? [] : [{ bearer: [] }],
    'x-access': access,
    ...(activity && { 'x-activity': activity }),
  };
}

const contentOf = (body: NonNullable<Endpoint['body']>): Record<string, { schema: JsonSchema }> =>
  isUpload(body)
    ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary', maxLength: body.largest } } }
    : { 'application/json': { schema: schemaOf(body, 'input', closed) } };

/** A write accepts no undeclared field; components are used in answers too, which may get more fields later. */
const closed = ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
  if (jsonSchema['type'] === 'object' && jsonSchema['properties'] !== undefined) jsonSchema['additionalProperties'] ??= false;
};

/** Media types of files that are only received from the registry. */
const mediaTypes = {
  zip: 'application/zip',
  gzip: 'application/gzip',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
} as const;

const contentOfFile = ({ downloads }: Endpoint): Record<string, { schema: JsonSchema }> =>
  downloads
    ? Object.fromEntries(
        downloads.map(kind => [
          kind in mediaTypes ? mediaTypes[kind as keyof typeof mediaTypes] : fileKinds[kind as FileKind].mediaType,
          kind === 'json' ? { schema: {} } : { schema: { type: 'string', ...(kind !== 'csv' && { format: 'binary' }) } },
        ]),
      )
    : { 'text/csv': { schema: { type: 'string' } }, 'application/json': { schema: {} } };

const pathParameters = ({ path }: Endpoint): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name: name!, in: 'path', required: true, schema: { type: 'string' } }));

function queryParameters({ query }: Endpoint): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
}

function responsesOf(endpoint: Endpoint): Record<string, Response> {
  const { answer } = endpoint;
  const success: Response =
    answer === undefined
      ? { description: 'Done.' }
      : answer === 'download'
        ? { description: 'A file.', content: contentOfFile(endpoint) }
        : { description: 'The answer.', content: { 'application/json': { schema: schemaOf(answer, 'output') } } };
  const refusals = Map.groupBy(errorsOf(endpoint), code => errorCatalogue[code].status);
  return {
    [answer === undefined ? 204 : 200]: success,
    ...(endpoint.waitsFor && { 202: { ...success, description: `Accepted; done when ${endpoint.waitsFor}.` } }),
    ...Object.fromEntries(
      [...refusals].map(([status, codes]) => [
        status,
        {
          description: codes.map(code => `${code}: ${errorCatalogue[code].message}`).join('\n'),
          content: { 'application/json': { schema: { $ref: componentOf(errorAnswer) } } },
        },
      ]),
    ),
  };
}

/** A schema in place, pointing at the components for what has a name. */
function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output', override?: typeof closed): JsonSchema {
  const name = names.get(schema)?.id;
  if (name) return { $ref: componentOf(name) };
  return tidied(
    z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      metadata: names,
      ...(override && { override }),
    }) as JsonSchema,
  );
}

/** Keywords of a stand-alone schema only; definitions are components here. */
const standalone = new Set(['$schema', '$id', '$defs', 'id']);

function tidied(schema: JsonSchema): JsonSchema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => !standalone.has(key)));
  return JSON.parse(JSON.stringify(kept).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
