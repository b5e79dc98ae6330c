import { type Endpoint, errorCatalogue, type PublicApi, takesIdempotencyKey } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { apiScopes, type ApiScope } from '@portal/contract/api-scopes';
import { registryApiErrorsOf } from '@portal/contract/declared-errors';
import { registryApiPathOf } from '@portal/contract/registry-api-paths';
import { isPaged } from '../../platform/http/list-cursors.ts';
import { openApiDocument } from '../../platform/http/openapi.ts';

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
  deprecated?: true;
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
Reads answer an \`ETag\` and take \`If-None-Match\`; \`?fields=\` chooses fields of their answers. Lists come a page at a time: \`Link\` with \`rel="next"\` is the address of the next one, with a \`cursor\`.
Work that takes longer is answered 202 with the address of its task in \`Location\`. Calls that will end say so in \`Deprecation\` and \`Sunset\`. Limits are in \`RateLimit\` and \`RateLimit-Policy\`; a call beyond them is answered 429 with \`Retry-After\`.
Errors are problem details (RFC 9457). New fields and new calls can be added at any time; nothing is changed or taken away within a version.`;

const header = (name: string, description: string, schema: Json = { type: 'string' }): Parameter => ({
  name,
  in: 'header',
  required: false,
  schema,
  description,
});

const parameter = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'string' },
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
      description: descriptionOf(endpoint.publicApi),
      parameters: [...parameters, ...commonParameters(endpoint, readable)],
      ...(requestBody && { requestBody }),
      responses: responsesOf(endpoint, responses),
      security: [{ apiKey: [] }],
      ...(endpoint.publicApi.deprecated && { deprecated: true as const }),
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

function descriptionOf({ scope, deprecated }: PublicApi): string {
  const { writes, label } = apiScopes[scope];
  const ends = deprecated ? ` Deprecated since ${deprecated.since}, ends on ${deprecated.sunset}: use ${deprecated.use}.` : '';
  return `Scope: \`${scope}\` (${writes ? 'change' : 'read'} ${label}).${ends}`;
}

/** Leaves out patterns with Unicode properties: few languages besides JavaScript read them, and the registry checks them anyway. */
const portable = <Part>(part: Part): Part =>
  JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' && /\\[pP]\{/.test(value) ? undefined : value,
  ) as Part;

/** `reverseDns` as words: "reverse dns". */
export const wordsOf = (name: string): string => name.replace(/([A-Z])/g, ' $1').toLowerCase();

function commonParameters(endpoint: PublicEndpoint, readable: ReadonlySet<string>): Parameter[] {
  if (endpoint.method === 'GET') {
    if (!endpoint.answer || endpoint.answer === 'download') return [];
    return [
      ...(isPaged(endpoint)
        ? [parameter('cursor', 'Of the next page: it is in the Link header of the page before, and means nothing else.')]
        : []),
      parameter('fields', 'Fields to answer, such as `total,rows.prefix`: names joined with dots, separated by commas. All unless given.'),
      header('If-None-Match', 'The ETag of an earlier answer: 304 where it is still the same.'),
    ];
  }
  return [
    {
      name: 'dry-run',
      in: 'query',
      required: false,
      schema: { type: 'string', enum: ['true', 'false'] },
      description: 'true: everything is checked and answered, nothing is stored.',
    },
    ...(takesIdempotencyKey(endpoint)
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
  const successes = Object.entries(all)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]): [string, Response] => [status, { ...response, headers: headersOf(endpoint) }]);
  const startsTask = endpoint.method !== 'GET' && mayStartTask(endpoint);
  const refusals = Map.groupBy(registryApiErrorsOf(endpoint), code => errorCatalogue[code].status);
  return {
    ...Object.fromEntries(successes),
    ...(startsTask && {
      202: {
        ...successes[0]![1],
        description: 'Accepted: a task carries it out.',
        headers: { ...headersOf(endpoint), Location: { description: 'Address of the task.', schema: { type: 'string' } } },
      },
    }),
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

/** Whether its answer can refer to a running task. */
function mayStartTask({ answer }: PublicEndpoint): boolean {
  const { shape } = ((answer as { _zod?: { def: unknown } } | undefined)?._zod?.def ?? {}) as { shape?: object };
  return shape !== undefined && 'taskId' in shape;
}

function headersOf(endpoint: PublicEndpoint): Json {
  const described = (description: string): Json => ({ description, schema: { type: 'string' } });
  return {
    RateLimit: described('What is left of the limit of the key, and when it is whole again, in seconds.'),
    ...(takesIdempotencyKey(endpoint) && {
      'Idempotent-Replayed': described('true: the answer of an earlier call with the same Idempotency-Key.'),
    }),
    'RateLimit-Policy': described('The limit of the key: calls, and in how many seconds.'),
    ...(endpoint.method === 'GET' &&
      endpoint.answer !== 'download' && { ETag: described('Tag of this answer, for If-None-Match and If-Match.') }),
    ...(isPaged(endpoint) && { Link: described('The next page, rel="next"; left out on the last.') }),
    ...(endpoint.publicApi.deprecated && {
      Deprecation: described('Since when it is deprecated (RFC 9745).'),
      Sunset: described('When it ends (RFC 8594).'),
    }),
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
