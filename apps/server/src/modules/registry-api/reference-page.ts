import { errorCatalogue, type ErrorCode } from '@portal/contract';
import { apiScopes, type ApiScope } from '@portal/contract/api-scopes';
import { apiReferencePath } from '@portal/contract/back-end-paths';
import { registryApiErrorsOf } from '@portal/contract/declared-errors';
import { registryApiBase } from '@portal/contract/registry-api-paths';
import type { FastifyInstance } from 'fastify';
import { type Content, html } from '../../platform/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { type Description, publicEndpoints, type PublicOperation, registryApiDescription, wordsOf } from './description.ts';

/** `/registry-api/v1/openapi.json` and `/registry-api/docs`: both follow from the contract, so each is made once. */
export function referencePages(http: FastifyInstance, { config, profile, asset }: PageContext): void {
  const product = `My${profile.product}`;
  // Made when first asked for: most processes are never asked.
  let made: { description: Description; text: string } | undefined;
  const described = () => {
    if (!made) {
      const description = registryApiDescription({ title: `${product} registry API`, url: config.appUrl });
      made = { description, text: JSON.stringify(description) };
    }
    return made;
  };
  http.get(`${registryApiBase}/openapi.json`, (_request, reply) => reply.type('application/json; charset=utf-8').send(described().text));
  let page: string | undefined;
  http.get(apiReferencePath, (_request, reply) => {
    page ??= referencePage(described().description, { product, url: config.appUrl, asset });
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

type Place = { product: string; url: string; asset: PageContext['asset'] };

function referencePage(description: Description, { product, url, asset }: Place): string {
  const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const byTag = Map.groupBy(calls, ({ operation }) => operation.tags[0]!);
  const title = (name: string): string =>
    `${wordsOf(name)[0]!.toUpperCase()}${wordsOf(name).slice(1)}`.replace('dns', 'DNS').replace('Rpki', 'RPKI');
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>API reference · ${product}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${asset('apps/server/web/api-reference.css')}">
<script type="module" src="${asset('apps/server/web/api-reference.ts')}"></script></head>
<body><header><a class="brand" href="/">${product}</a><span>API reference</span><a href="/resources/registry-api/api-key-list">API keys</a></header>
<div class="frame"><nav aria-label="Calls"><a href="#about">About</a>${[...byTag].map(
    ([tag, list]) => html`<details><summary>${title(tag)} <small>${list.length}</small></summary>
${list.map(({ method, path, operation }) => html`<a href="#${operation.operationId}"><b class="m ${method.toLowerCase()}">${method}</b> ${shortPath(path)}</a>`)}</details>`,
  )}<a href="#scopes">Scopes</a><a href="#problems">Problems</a></nav>
<main><section id="about"><h1>Registry API</h1><p>Programs read and change what your account holds: whois objects, reverse DNS, routes and ROAs, customer assignments, requests, tasks, invoices.
Create a key under <a href="/resources/registry-api/api-key-list">API keys</a> and send it as bearer.</p>
<pre>curl -H "Authorization: Bearer $KEY" ${url}${registryApiBase}/ACCOUNT/resources/summary</pre>
<ul><li><b>Dry run</b>: <code>?dry-run=true</code> on a change checks and answers everything and stores nothing.</li>
<li><b>Repeat safely</b>: with an <code>Idempotency-Key</code> a change is made once within 24 hours, however often it is sent.</li>
<li><b>No lost updates</b>: send the <code>ETag</code> you read as <code>If-Match</code>; send it as <code>If-None-Match</code> to read only what is new.</li>
<li><b>Pages</b>: lists answer a cursor where there is more; pass it on as the listed parameter.</li>
<li><b>Limits</b>: <code>RateLimit</code> says what is left. Beyond it the answer is 429 with <code>Retry-After</code>.</li>
<li><b>Versions</b>: calls and fields are added at any time, and never changed or taken away within <code>v1</code>.</li></ul>
<p><a href="${registryApiBase}/openapi.json">OpenAPI 3.1 description</a></p>
<form class="key" id="key-form" hidden><label>API key <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="mr_live_…"></label>
<label>Account <input id="account" autocomplete="off" spellcheck="false" placeholder="EXAMPLE-AU"></label><p>To try calls from this page. Both stay in this page and are gone when you close it.</p></form></section>
${[...byTag].map(
  ([tag, list]) => html`<section><h2 id="tag-${tag}">${title(tag)}</h2>${list.map(call => callSection(call, description, url))}</section>`,
)}
<section id="scopes"><h2>Scopes</h2><table><thead><tr><th>Scope</th><th>Allows to</th></tr></thead><tbody>${Object.entries(apiScopes).map(
    ([scope, { label, writes }]) => html`<tr><td><code>${scope}</code></td><td>${writes ? 'change' : 'read'} ${label}</td></tr>`,
  )}</tbody></table></section>
<section id="problems"><h2>Problems</h2><p>Errors are <code>application/problem+json</code> (RFC 9457). <code>code</code> is stable, <code>errors</code> names the wrong fields, and <code>traceId</code> helps the registry to find the call.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Means</th></tr></thead><tbody>${allCodes().map(
    code =>
      html`<tr id="problem-${code}"><td><code>${code}</code></td><td>${errorCatalogue[code].status}</td><td>${errorCatalogue[code].message}</td></tr>`,
  )}</tbody></table></section></main></div></body></html>`.markup;
}

const allCodes = (): ErrorCode[] =>
  [...new Set(publicEndpoints.flatMap(endpoint => registryApiErrorsOf(endpoint)))].toSorted(
    (a, b) => errorCatalogue[a].status - errorCatalogue[b].status || a.localeCompare(b),
  );

const shortPath = (path: string): string => path.slice(`${registryApiBase}/{account}`.length);

type Call = { path: string; method: string; operation: PublicOperation };

function callSection({ path, method, operation }: Call, description: Description, url: string): Content {
  const { operationId, summary, parameters, requestBody, responses } = operation;
  const scope: ApiScope = operation['x-scope'];
  const given = parameters.filter(({ name }) => name !== 'account');
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = type === 'application/json' ? JSON.stringify(exampleOf(body!.schema, description), null, 2) : null;
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']?.schema;
  return html`<article id="${operationId}" data-method="${method}" data-path="${path}"><h3><b class="m ${method.toLowerCase()}">${method}</b> <code>${shortPath(path)}</code> <a href="#scopes" class="scope">${scope}</a></h3><p>${summary}</p>
${
  given.length > 0 &&
  html`<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Description</th></tr></thead><tbody>${given.map(
    ({ name, in: place, required, schema, description: words }) =>
      html`<tr><td><code>${name}</code>${required && html` <small>required</small>`}</td><td>${place}</td><td>${typeOf(schema)}</td><td>${words}</td></tr>`,
  )}</tbody></table>`
}
<pre class="curl">curl${method === 'GET' ? '' : ` -X ${method}`} -H "Authorization: Bearer $KEY"${example === null ? '' : ` -H "Content-Type: application/json" \\\n  -d '${example}'`} \\
  "${url}${path.replace('{account}', 'ACCOUNT')}"</pre>
${example !== null && html`<details><summary>Body</summary><pre>${JSON.stringify(body!.schema, null, 2)}</pre></details>`}
${answer && html`<details><summary>Answer</summary><pre>${JSON.stringify(exampleOf(answer, description), null, 2)}</pre></details>`}
<details class="try" hidden><summary>Try it</summary><form>${given
    .filter(({ in: place, name }) => place !== 'header' && name !== 'dry-run')
    .map(
      ({ name, in: place, required }) =>
        html`<label>${name} <input name="${name}" data-in="${place}"${required && html` required`} autocomplete="off" spellcheck="false"></label>`,
    )}
${example !== null && html`<label>Body <textarea name="body" rows="8" spellcheck="false">${example}</textarea></label>`}
${method !== 'GET' && html`<label class="check"><input type="checkbox" name="dry-run" checked> Dry run: store nothing</label>`}
<button type="submit">Send</button></form><output></output></details></article>`;
}

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  format?: string;
  default?: unknown;
  minimum?: number;
};

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' or ');
}

/** How deep an example goes. */
const DEEPEST = 5;

/** A value of the shape of a schema, for people to start from; it need not pass its rules. */
function exampleOf(given: Schema, description: Description, depth = 0): unknown {
  const schema: Schema = given.$ref ? ((description.components.schemas[given.$ref.split('/').at(-1)!] ?? {}) as Schema) : given;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice) return exampleOf(choice, description, depth);
  if (schema.properties)
    return depth >= DEEPEST
      ? {}
      : Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part, description, depth + 1)]));
  if (schema.items) return depth >= DEEPEST ? [] : [exampleOf(schema.items, description, depth + 1)];
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'object':
      return {};
    default:
      return schema.format === 'date-time' ? '2026-11-22T09:30:00Z' : schema.format === 'date' ? '2026-11-22' : 'text';
  }
}
