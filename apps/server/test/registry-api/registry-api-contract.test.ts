import { api } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { daysAfter } from '@portal/contract/days';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Schema, seeded, valueFor, wrongValuesFor } from './openapi-values.ts';
import { billingPortal, today } from '../billing-portal.ts';
import { eInvoiceRows, profileFile } from '../e-invoice-profile.ts';
import type { TestPortal } from '../portal.ts';

/**
 * The registry API as a program sees it that knows nothing but the description that it is served: a validator of other people (Ajv) reads it, calls every operation
 * with input that the description allows and with input that it forbids, and checks every answer by it.
 */

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Content }>;
};
type Document = { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };
type Call = { id: string; method: string; path: string; operation: Operation };

const account = 'EXAMPLE-AU';
/** Rounds of input that is allowed, for each operation. */
const ROUNDS = 4;
/** Lists that are short by their nature, and answered whole. */
const whole = new Set([
  'customers.listFreeSpace',
  'nir.delegations.listNirFreeSpace',
  'requests.subaccounts.listSubaccountRequests',
  'resources.locks.listLocks',
  'reverseDns.planZones',
  'routes.alerts.listAlerts',
  'routes.suggestions.listSuggestions',
  'rpki.aspas.listAspas',
  'rpki.checklists.listChecklists',
  'whois.contacts.listContacts',
  'whois.listIrts',
  'whois.listMaintainers',
]);

describe('the registry API, by what it says of itself', () => {
  let portal: TestPortal;
  let key: string;
  let served: Document;
  let calls: Call[];
  /** Values seen in answers, by the name of their field: real ids for the next calls. */
  const known = new Map<string, string>();
  const validators = new Map<string, ValidateFunction>();

  beforeAll(async () => {
    const billed = await billingPortal(
      undefined,
      { [account]: daysAfter(today, -10) },
      { API_CALLS_PER_SECOND: '100000', REGISTRY_PROFILE: await profileFile(eInvoiceRows) },
    );
    portal = billed;
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.updateTable('organisation').set({ registrationNumber: '51 824 753 556' }).where('accountName', '=', account).execute(),
    );
    await billed.on(today);
    known.set('documentNumber', (await billed.billingOf(account)).invoices[0]!.number);
    const corin = await portal.as('corin');
    const made = await corin(api.apiKeys.createApiKey, { account, body: { label: 'contract', scopes: [...apiScopeKeys], days: 30 } });
    key = made.data!.secret!;
    served = (await (await portal.request('/registry-api/v1/openapi.json')).json()) as Document;
    calls = Object.entries(served.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ id: operation.operationId, method: method.toUpperCase(), path, operation })),
    );
    const read = async (path: string) =>
      (await (await portal.request(`/registry-api/v1/${account}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
        rows: Record<string, string>[];
      };
    const [objects, customers, tasks] = await Promise.all([
      read('/whois/objects?class=aut-num&limit=1'),
      read('/customers?limit=1'),
      read('/tasks?limit=1'),
    ]);
    for (const [name, value] of Object.entries({
      ...objects.rows[0],
      name: customers.rows[0]?.['customer'],
      taskId: tasks.rows[0]?.['taskId'],
      version: 1,
      kind: 'ipv4',
    }))
      known.set(name, String(value));
    const ajv = new Ajv2020({ strict: false });
    (formats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(served, 'api');
    for (const { id, method, path, operation } of calls)
      for (const [status, { content }] of Object.entries(operation.responses))
        for (const type of Object.keys(content ?? {})) {
          if (!/json/.test(type)) continue;
          const place = [path, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
          const pointer = place.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
          validators.set(`${id} ${status}`, ajv.compile({ $ref: `api#/paths/${pointer}` }));
        }
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  type Input = { params: Record<string, string>; query: Record<string, string>; body?: unknown; headers?: Record<string, string> };
  async function send({ method, path, operation }: Call, { params, query, body, headers = {} }: Input) {
    const address = path
      .replace('{account}', account)
      .replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? '1'));
    const parameters = new URLSearchParams(query);
    const type = Object.keys(operation.requestBody?.content ?? {})[0];
    const answer = await portal.request(`${address}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(type !== undefined && { 'content-type': type }), ...headers },
      ...(type !== undefined && { body: JSON.stringify(body ?? {}) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return { status: answer.status, headers: answer.headers, text, json: isJson && text !== '' ? (JSON.parse(text) as unknown) : null };
  }
  type Answer = Awaited<ReturnType<typeof send>>;

  /** Says what of an answer isn't as described; null where all is. */
  function wrongIn({ id, operation }: Call, { status, json, headers, text }: Answer): string | null {
    if (status >= 500) return `${id} answered ${status}`;
    const described = operation.responses[String(status)];
    if (!described) return `${id} answered ${status}, which is not described`;
    for (const name of Object.keys(described.headers ?? {}))
      if (!['link', 'location', 'idempotent-replayed'].includes(name.toLowerCase()) && !headers.has(name))
        return `${id} ${status} has no header ${name}`;
    const type = (headers.get('content-type') ?? '').split(';')[0]!;
    if (text !== '' && described.content && !(type in described.content)) return `${id} ${status} is ${type}, which is not described`;
    const validate = validators.get(`${id} ${status}`);
    if (!validate || json === null) return null;
    return validate(json) ? null : `${id} ${status}: ${JSON.stringify(validate.errors?.[0])}`;
  }

  function collect(value: unknown): void {
    if (Array.isArray(value)) for (const each of value.slice(0, 3)) collect(each);
    else if (value !== null && typeof value === 'object')
      for (const [name, part] of Object.entries(value)) {
        if ((typeof part === 'string' || typeof part === 'number') && !known.has(name)) known.set(name, String(part));
        else collect(part);
      }
  }

  const making = (random: () => number) => ({ schemas: served.components.schemas, random, known });
  function inputFor({ operation }: Call, random: () => number): Input {
    const values = operation.parameters
      .filter(
        ({ required, in: place, name }) =>
          place !== 'header' && name !== 'account' && !['cursor', 'fields'].includes(name) && (required || random() < 0.3),
      )
      .map(({ name, in: place, schema, required }) => ({
        name,
        place,
        value: String((place === 'path' || required ? known.get(name) : undefined) ?? valueFor(schema, name, making(random))),
      }));
    const schema = operation.requestBody?.content['application/json']?.schema;
    return {
      params: Object.fromEntries(values.filter(({ place }) => place === 'path').map(({ name, value }) => [name, value])),
      query: Object.fromEntries(values.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value])),
      ...(schema && { body: valueFor(schema, 'body', making(random)) }),
    };
  }

  test('every operation answers input that its description allows as it describes, and changes nothing in a dry run', async () => {
    const random = seeded(20);
    const wrong: string[] = [];
    const good = new Set<string>();
    // Reads come first: they answer the ids that the others take.
    const inOrder = [...calls].sort((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET') || a.path.length - b.path.length);
    for (const call of inOrder)
      for (let round = 0; round < ROUNDS; round++) {
        const input = inputFor(call, random);
        const answer = await send(call, { ...input, query: { ...input.query, ...(call.method !== 'GET' && { 'dry-run': 'true' }) } });
        const found = wrongIn(call, answer);
        if (found !== null) wrong.push(`${found}\n  ${JSON.stringify(input).slice(0, 400)}\n  ${answer.text.slice(0, 300)}`);
        if (answer.status < 300) good.add(call.id);
        if (answer.status < 300) collect(answer.json);
        if (answer.status < 300 && call.method !== 'GET' && answer.headers.get('dry-run') !== 'true')
          wrong.push(`${call.id} made a dry run real`);
      }
    expect(wrong).toEqual([]);
    // Otherwise the test would only look at refusals.
    const reads = calls.filter(({ method, path }) => method === 'GET' && !path.includes('/nir/'));
    expect(reads.filter(({ id }) => good.has(id)).length / reads.length).toBeGreaterThan(0.8);
  });

  test('every operation refuses input that its description forbids with 4xx, described and in the form of problem details', async () => {
    const random = seeded(90);
    const wrong: string[] = [];
    for (const call of calls) {
      const schema = call.operation.requestBody?.content['application/json']?.schema;
      const valid = inputFor(call, random);
      const bodies = schema ? wrongValuesFor(schema, valid.body, making(random)) : [];
      const queries = call.operation.parameters.filter(
        ({ in: place, schema: { type, enum: values } }) => place === 'query' && (type === 'integer' || values),
      );
      const inputs: Input[] = [
        ...bodies.map(body => ({ ...valid, query: { ...valid.query, 'dry-run': 'true' }, body })),
        ...queries.map(({ name }) => ({ ...valid, query: { ...valid.query, [name]: 'no such value' } })),
      ];
      for (const input of inputs) {
        const answer = await send(call, input);
        const found = wrongIn(call, answer) ?? (answer.status < 400 ? `${call.id} accepted it` : null);
        if (found !== null) wrong.push(`${found}\n  ${JSON.stringify(input).slice(0, 300)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('every read chooses fields, and has an entity tag; every list goes on by its Link, or is short by nature', async () => {
    const isFile = ({ operation }: Call): boolean => Object.keys(operation.responses['200']?.content ?? {}).join() !== 'application/json';
    const reads = calls.filter(call => call.method === 'GET' && !isFile(call));
    for (const call of reads) {
      expect(
        call.operation.parameters.map(({ name }) => name),
        call.id,
      ).toEqual(expect.arrayContaining(['fields', 'If-None-Match']));
      const unknown = await send(call, { params: {}, query: { fields: 'no-such-field' } });
      // 403: calls of national registries.
      expect([400, 403, 404], call.id).toContain(unknown.status);
      const shape = call.operation.responses['200']!.content!['application/json']!.schema;
      const rows = (shape.$ref ? served.components.schemas[shape.$ref.split('/').at(-1)!]! : shape).properties?.['rows'];
      const isPaged = call.operation.parameters.some(({ name }) => name === 'cursor');
      expect(rows === undefined || isPaged || whole.has(call.id), `${call.id} answers rows without a cursor`).toBe(true);
    }
    const paged = reads.filter(
      ({ operation, path }) => operation.parameters.some(({ name }) => name === 'cursor') && !/\{(?!account)/.test(path),
    );
    expect(paged.length).toBeGreaterThan(10);
    let went = 0;
    for (const call of paged) {
      const required = call.operation.parameters
        .filter(({ required: needed, in: place }) => needed && place === 'query')
        .map(({ name }) => [name, String(known.get(name) ?? '1')]);
      const one = { params: {}, query: { ...Object.fromEntries(required), limit: '1' } };
      const first = await send(call, one);
      const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
      if (next === undefined) continue;
      went++;
      const second = await portal.request(next, { headers: { authorization: `Bearer ${key}` } });
      expect(second.status, call.id).toBe(200);
      expect(await second.text(), call.id).not.toBe(first.text);
      const other = paged.find(({ id }) => id !== call.id)!;
      const cursor = new URLSearchParams(next.split('?')[1]).get('cursor')!;
      expect((await send(other, { params: {}, query: { cursor } })).status, `${other.id} took a cursor of ${call.id}`).toBe(400);
    }
    expect(went).toBeGreaterThan(6);
  });

  test('fields keeps what was asked for, in lists too, and leaves the rest out', async () => {
    const delegations = calls.find(({ id }) => id === 'resources.listDelegations')!;
    const { json } = await send(delegations, { params: {}, query: { kind: 'ipv4', fields: 'total,rows.resource', limit: '2' } });
    expect(Object.keys(json as object)).toEqual(['rows', 'total']);
    for (const row of (json as { rows: object[] }).rows) expect(Object.keys(row)).toEqual(['resource']);
    const unknown = await send(delegations, { params: {}, query: { kind: 'ipv4', fields: 'rows.nothing' } });
    expect(unknown).toMatchObject({ status: 400 });
    expect(unknown.text).toContain('rows has');
  });

  test('every change takes a dry run and an idempotency key, and says whether If-Match is of use', () => {
    for (const { id, method, path, operation } of calls.filter(call => call.method !== 'GET')) {
      const names = operation.parameters.map(({ name }) => name);
      expect(names, id).toEqual(expect.arrayContaining(['dry-run', 'Idempotency-Key']));
      expect(names.includes('If-Match'), id).toBe('get' in served.paths[path]!);
      expect(Object.keys(operation.responses), `${id} ${method}`).toContain('429');
    }
  });
});
