import { type Endpoint, errorCatalogue, type PublicApi } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { apiScopes, type ApiScope } from '@portal/contract/api-scopes';
import { registryApiErrorsOf } from '@portal/contract/declared-errors';
import { registryApiPathOf } from '@portal/contract/registry-api-paths';
import { takesKey } from '@portal/contract';
import { openApiDocument } from '../../platform/openapi.ts';

type Json = Record<string, unknown>;
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Json; description?: string };
type Response = { description: string; headers?: Json; content?: Record<string, { schema: Json }> };
export type PublicOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Response>;
  security: Record<string, string[]>[];
  'x-scope': ApiScope;
};
/** OpenAPI 3.1.1, schemas in JSON Schema 2020-12. */
export type Description = {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, PublicOperation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
};

type PublicEndpoint = Endpoint & { publicApi: PublicApi };
export const publicEndpoints = allEndpoints.filter((endpoint): endpoint is PublicEndpoint => endpoint.publicApi !== undefined);

const problem: Json = {
  type: 'object',
  description: 'Problem details (RFC 9457), with an error for each thing that is wrong.',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    traceId: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'Name it when you ask the registry about a call.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' }, traceId: { type: 'string' }, field: { type: 'string' } },
        required: ['code', 'message', 'traceId'],
      },
    },
    current: { description: 'The present value after a concurrent change, where there is one.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'traceId', 'errors'],
};

const about = `Calls carry an API key as bearer: \`Authorization: Bearer mr_live_…\`. A key belongs to one account and has scopes.

Changes take \`?dry-run=true\` (everything is checked and answered, nothing is stored), an \`Idempotency-Key\` (a repeated call within 24 hours is done once) and, where the same path can be read, \`If-Match\`.
Reads answer an \`ETag\` and take \`If-None-Match\`. Limits are in \`RateLimit\` and \`RateLimit-Policy\`; a call beyond them is answered 429 with \`Retry-After\`.
Errors are problem details (RFC 9457). New fields and new calls can be added at any time; nothing is changed or taken away within a version.`;

const header = (name: string, description: string, schema: Json = { type: 'string' }): Parameter => ({
  name,
  in: 'header',
  required: false,
  schema,
  description,
});

/** The description of the registry API, derived from the contract. */
export function registryApiDescription({ title, url }: { title: string; url: string }): Description {
  const asPublic = publicEndpoints.map(endpoint => ({ ...endpoint, path: registryApiPathOf(endpoint.publicApi) }));
  const { paths, components } = portable(openApiDocument({ title, url, endpoints: asPublic }));
  const readable = new Set(publicEndpoints.filter(({ method }) => method === 'GET').map(({ publicApi }) => publicApi.path));
  const described: Description['paths'] = {};
  for (const endpoint of asPublic) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const method = endpoint.method.toLowerCase();
    const { operationId, tags, summary, parameters, requestBody, responses } = paths[path]![method]!;
    (described[path] ??= {})[method] = {
      operationId,
      tags,
      summary,
      description: `Scope: \`${endpoint.publicApi.scope}\` (${apiScopes[endpoint.publicApi.scope].writes ? 'change' : 'read'} ${apiScopes[endpoint.publicApi.scope].label}).`,
      parameters: [...parameters, ...commonParameters(endpoint, readable)],
      ...(requestBody && { requestBody }),
      responses: responsesOf(endpoint, responses),
      security: [{ apiKey: [] }],
      'x-scope': endpoint.publicApi.scope,
    };
  }
  const schemas = usedSchemas(described, components.schemas);
  return {
    openapi: '3.1.1',
    info: { title, version: '1', description: about },
    servers: [{ url }],
    tags: [...new Set(asPublic.map(({ id }) => id.split('.', 1)[0]!))].map(name => ({
      name,
      description: `Calls about ${wordsOf(name)}.`,
    })),
    paths: described,
    components: {
      schemas: { ...schemas, Problem: problem },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'mr_live_…' } },
    },
  };
}

/** Leaves out patterns with Unicode properties: few languages besides JavaScript read them, and the registry checks them anyway. */
const portable = <Part>(part: Part): Part =>
  JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' && /\\[pP]\{/.test(value) ? undefined : value,
  ) as Part;

/** `reverseDns` as words: "reverse dns". */
export const wordsOf = (name: string): string => name.replace(/([A-Z])/g, ' $1').toLowerCase();

function commonParameters(endpoint: PublicEndpoint, readable: ReadonlySet<string>): Parameter[] {
  if (endpoint.method === 'GET')
    return endpoint.answer && endpoint.answer !== 'download'
      ? [header('If-None-Match', 'The ETag of an earlier answer: 304 where it is still the same.')]
      : [];
  return [
    {
      name: 'dry-run',
      in: 'query',
      required: false,
      schema: { type: 'string', enum: ['true', 'false'] },
      description: 'true: everything is checked and answered, nothing is stored.',
    },
    ...(takesKey(endpoint)
      ? [header('Idempotency-Key', 'A repeated call with the same key is done once.', { type: 'string', pattern: '^[!-~]{8,128}$' })]
      : []),
    ...(readable.has(endpoint.publicApi.path)
      ? [header('If-Match', 'The ETag of what you read at this path: 412 where it has changed.')]
      : []),
  ];
}

function responsesOf(
  endpoint: PublicEndpoint,
  all: Record<string, { description: string; content?: Record<string, { schema: Json }> }>,
): Record<string, Response> {
  const successes = Object.entries(all).filter(([status]) => status.startsWith('2'));
  const refusals = Map.groupBy(registryApiErrorsOf(endpoint), code => errorCatalogue[code].status);
  return {
    ...Object.fromEntries(successes),
    ...(endpoint.method === 'GET' &&
      endpoint.answer &&
      endpoint.answer !== 'download' && { 304: { description: 'Not modified: you have this.' } }),
    ...Object.fromEntries(
      [...refusals].map(([status, codes]) => [
        status,
        {
          description: codes.map(code => `${code}: ${errorCatalogue[code].message}`).join('\n'),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
    ),
  };
}

/** The schemas that the operations refer to, and those that these refer to. */
function usedSchemas(paths: Description['paths'], all: Record<string, Json>): Record<string, Json> {
  const used: Record<string, Json> = {};
  const collect = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (name! in all && !(name! in used)) {
        used[name!] = all[name!]!;
        collect(all[name!]);
      }
  };
  collect(paths);
  return used;
}
