import { registryApiBase } from '@portal/contract/registry-api-paths';
import type { Description, PublicOperation } from './description.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
};

/** Parameters that the client sends automatically, or exposes in another way. */
const ofClient = new Set(['account', 'cursor', 'fields', 'dry-run']);

/**
 * Returns `packages/client/src/calls.ts`: a table of all calls and their types, made from the description, so that the client needs neither the contract nor its
 * schemas when it runs.
 */
export function clientCallsText({ paths, components }: Description): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: path.slice(`${registryApiBase}/{account}`.length),
      method: method.toUpperCase(),
      operation,
    })),
  );
  calls.sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  return [
    '// Made from the contract by the tests of the registry API. Change the contract instead.',
    '',
    ...Object.entries(components.schemas)
      .filter(([name]) => name !== 'Problem')
      // Sorted, independent of how the contract is loaded.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, schema]) => `export type ${name} = ${typeOf(schema as Schema)};`),
    '',
    '/** Input and answer of every call, by its id. */',
    'export type Calls = {',
    ...calls.map(
      ({ method, path, operation }) =>
        `  /** ${method} ${path}: ${operation.summary} ${operation.description} */\n  '${operation.operationId}': ${callType(operation)};`,
    ),
    '};',
    '',
    '/** Method and path of every call; `file`: it answers a file; `pages`: the list goes on. */',
    'export const calls: { readonly [Id in keyof Calls]: { method: string; path: string; file?: true; pages?: true } } = {',
    ...calls.map(
      ({ path, method, operation }) =>
        `  '${operation.operationId}': { method: '${method}', path: '${path}'${isFile(operation) ? ', file: true' : ''}${isPages(operation) ? ', pages: true' : ''} },`,
    ),
    '};',
    '',
  ].join('\n');
}

const isPages = ({ parameters }: PublicOperation): boolean => parameters.some(({ name }) => name === 'cursor');
const contentOf = ({ responses }: PublicOperation) => Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
const isFile = (operation: PublicOperation): boolean => {
  const content = contentOf(operation);
  return content !== undefined && Object.keys(content).join() !== 'application/json';
};

function callType(operation: PublicOperation): string {
  const { parameters, requestBody } = operation;
  const partOf = (place: 'path' | 'query'): string =>
    parameters
      .filter(({ in: where, name }) => where === place && !ofClient.has(name))
      .map(
        ({ name, required, schema }) =>
          `${nameOf(name)}${required ? '' : '?'}: ${place === 'path' ? 'string | number' : typeOf(schema as Schema)}`,
      )
      .join('; ');
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const answer = contentOf(operation);
  return `{ ${[
    `params: {${spaced(partOf('path'))}}`,
    `query: {${spaced(partOf('query'))}}`,
    `body: ${body ? (type === 'application/json' ? typeOf(body.schema as Schema) : 'Blob') : 'undefined'}`,
    `answer: ${isFile(operation) ? 'Response' : answer ? typeOf(answer['application/json']!.schema as Schema) : 'undefined'}`,
  ].join('; ')} }`;
}

const spaced = (text: string): string => (text === '' ? '' : ` ${text} `);
const nameOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`);

/** Returns the TypeScript type of a JSON Schema. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => quoted(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ');
  if (schema.allOf) {
    // Other keywords of the same value don't affect the type.
    const { allOf, ...plain } = schema;
    const parts = [...new Set([...(schema.type ? [plain] : []), ...allOf].map(typeOf))].filter(type => type !== 'unknown');
    return parts.map(part => (parts.length > 1 ? `(${part})` : part)).join(' & ') || 'unknown';
  }
  return [...new Set([schema.type ?? 'any'].flat().map(type => plainType(type, schema)))].join(' | ');
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value));

function plainType(type: string, { items, properties, additionalProperties, required = [] }: Schema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const each = items ? typeOf(items) : 'unknown';
      return `${/[ |&]/.test(each) && !each.startsWith('{') ? `(${each})` : each}[]`;
    }
    case 'object': {
      if (!properties)
        return `Record<string, ${additionalProperties && additionalProperties !== true ? typeOf(additionalProperties) : 'unknown'}>`;
      const fields = Object.entries(properties).map(
        ([name, part]) => `${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part)}`,
      );
      return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
    }
    default:
      return 'unknown';
  }
}
