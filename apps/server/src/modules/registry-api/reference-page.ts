import { brandStyle, brandKey, portalNameOf } from '../../brand.ts';
import { type ErrorCode, errorCatalogue } from '@portal/contract';
import { type ApiScope, apiScopes } from '@portal/contract/api-scopes';
import { applyFileSchema, applySchemaPath } from '@portal/contract/apply-file';
import { apiReferencePath } from '@portal/contract/back-end-paths';
import { registryApiErrorsOf } from '@portal/contract/declared-errors';
import { registryApiBase } from '@portal/contract/registry-api-paths';
import type { FastifyInstance } from 'fastify';
import { type Content, type Html, html } from '../../platform/http/html.ts';
import { openToScripts } from '../../platform/http/registry-api.ts';
import type { PageContext } from '../../platform/module.ts';
import { type Description, type PublicOperation, publicEndpoints, registryApiDescription, wordsOf } from './description.ts';

/** `/registry-api/v1/openapi.json` and `/registry-api/docs`, each generated once from the contract. */
export function referencePages(http: FastifyInstance, { config, profile, asset }: PageContext): void {
  // Generated on first use: most processes never need it. Again where the brand is another one.
  let made: { key: string; description: Description; text: string; page?: string } | undefined;
  const described = () => {
    const key = brandKey(profile);
    if (made?.key !== key) {
      const description = registryApiDescription({ title: `${portalNameOf(profile)} registry API`, url: config.appUrl });
      made = { key, description, text: JSON.stringify(description) };
    }
    return made;
  };
  http.get(`${registryApiBase}/openapi.json`, (_request, reply) =>
    reply.headers(openToScripts).type('application/json; charset=utf-8').send(described().text),
  );
  // The command registry, as one file for Node.js.
  http.get(commandPath, (_request, reply) => reply.redirect(asset(commandSource), 302));
  let schema: string | undefined;
  // Editors may read it from any site: it is the same for everyone.
  http.get(applySchemaPath, (_request, reply) => {
    schema ??= JSON.stringify(applyFileSchema(config.appUrl), null, 2);
    return reply.type('application/schema+json; charset=utf-8').header('access-control-allow-origin', '*').send(schema);
  });
  http.get(apiReferencePath, (_request, reply) => {
    const now = described();
    now.page ??= referencePage(now.description, {
      product: portalNameOf(profile),
      style: brandStyle(profile),
      source: profile.source,
      url: config.appUrl,
      sandboxUrl: config.sandboxUrl,
      asset,
    });
    return reply.type('text/html; charset=utf-8').send(now.page);
  });
}

/** Where members download the command registry, and its source among the assets. */
const commandPath = '/registry-api/registry.mjs';
const commandSource = 'apps/registry-command/src/main.ts';

const exampleEvent = {
  type: 'routes.saveRoutes',
  timestamp: '2026-11-22T09:30:00.000Z',
  data: {
    account: 'EXAMPLE-AU',
    activityId: 4711,
    what: 'Change routes',
    category: 'resources',
    object: '',
    summary: 'Changed routes',
    result: 'done',
    refusal: null,
    actor: { kind: 'contact', name: 'Tess Okafor' },
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  },
};

type Place = { product: string; style: Html | null; source: string; url: string; sandboxUrl: string; asset: PageContext['asset'] };

function referencePage(description: Description, { product, style, source, url, sandboxUrl, asset }: Place): string {
  const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const byTag = Map.groupBy(calls, ({ operation }) => operation.tags[0]!);
  const title = (name: string): string =>
    `${wordsOf(name)[0]!.toUpperCase()}${wordsOf(name).slice(1)}`.replace('dns', 'DNS').replace('Rpki', 'RPKI').replace('Nir', 'NIR');
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>API reference · ${product}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${asset('apps/server/web/api-reference.css')}">${style}
<script type="module" src="${asset('apps/server/web/api-reference.ts')}"></script></head>
<body><header><a class="brand" href="/">${product}</a><span>API reference</span><a href="/resources/registry-api/api-key-list">API keys</a></header>
<div class="frame"><nav aria-label="Calls"><a href="#about">About</a>${[...byTag].map(
    ([tag, list]) => html`<details><summary>${title(tag)} <small>${list.length}</small></summary>
${list.map(({ method, path, operation }) => html`<a href="#${operation.operationId}"><b class="m ${method.toLowerCase()}">${method}</b> ${shortPath(path)}</a>`)}</details>`,
  )}<a href="#command">Command</a><a href="#webhooks">Webhooks</a><a href="#dumps">Public data</a><a href="#scopes">Scopes</a><a href="#problems">Problems</a></nav>
<main><section id="about"><h1>Registry API</h1><p>Programs read and change what your account holds: whois objects, reverse DNS, routes and ROAs, customer assignments, requests, tasks, invoices.
Create a key under <a href="/resources/registry-api/api-key-list">API keys</a> and send it as bearer.</p>
<pre>curl -H "Authorization: Bearer $KEY" ${url}${registryApiBase}/ACCOUNT/resources/summary</pre>
<ul><li><b>Dry run</b>: <code>?dry-run=true</code> on a change checks and answers everything and stores nothing.</li>
<li><b>Repeat safely</b>: with an <code>Idempotency-Key</code> a change is made once within 24 hours, however often it is sent.</li>
<li><b>No lost updates</b>: send the <code>ETag</code> you read as <code>If-Match</code>; send it as <code>If-None-Match</code> to read only what is new.</li>
<li><b>Pages</b>: the <code>Link</code> header of a list has the address of the next page, with <code>rel="next"</code>.</li>
<li><b>Less to read</b>: <code>?fields=total,rows.prefix</code> answers these fields alone.</li>
<li><b>Long work</b>: the answer is 202, and <code>Location</code> is the task that carries it out.</li>
<li><b>Limits</b>: <code>RateLimit</code> says what is left. Beyond it the answer is 429 with <code>Retry-After</code>.</li>
<li><b>Versions</b>: calls and fields are added at any time, and never changed or taken away within <code>v1</code>.</li>${
    sandboxUrl === ''
      ? ''
      : html`
<li><b>Sandbox</b>: <a href="${sandboxUrl}">${sandboxUrl}</a> is a copy of the registry with the same calls, where nothing is published. Its keys begin with <code>mr_test_</code>.</li>`
  }</ul>
<p><a href="${registryApiBase}/openapi.json">OpenAPI 3.1 description</a> · <a href="#command">The command <code>registry</code></a> · <a href="${applySchemaPath}">JSON Schema of its file</a></p>
<form class="key" id="key-form" hidden><label>API key <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="mr_live_…"></label>
<label>Account <input id="account" autocomplete="off" spellcheck="false" placeholder="EXAMPLE-AU"></label><p>To try calls from this page. Both stay in this page and are gone when you close it.</p></form></section>
${[...byTag].map(
  ([tag, list]) => html`<section><h2 id="tag-${tag}">${title(tag)}</h2>${list.map(call => callSection(call, description, url))}</section>`,
)}
<section id="command"><h2>The command <code>registry</code></h2><p>Keep routes, ROAs, ASPAs, reverse zones and contacts in a file, and let a pipeline compare it with the registry.</p>
<pre>curl -L -o registry ${url}${commandPath} &amp;&amp; chmod +x registry   # one file, for Node.js 22 and later
registry login ${url}
registry get &gt; registry.yaml        # what is there now
registry diff -f registry.yaml      # 0: the same, 2: differs, 1: an error
registry apply -f registry.yaml     # shows the plan and asks; --prune deletes what is not in the file
registry watch                      # changes of the account as they happen</pre>
<p>The registry checks everything before anything is stored. Begin the file with <code># yaml-language-server: $schema=${url}${applySchemaPath}</code>, and editors complete it.</p></section>
<section id="webhooks"><h2>Webhooks</h2><p>Each activity of an account can be posted to an address of yours. Create a webhook under <a href="/resources/registry-api/webhooks">Webhooks</a>; its secret is shown once.</p>
<pre>POST /registry HTTP/1.1
content-type: application/json
webhook-id: evt_4711
webhook-timestamp: 1795339800
webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=

${JSON.stringify(exampleEvent, null, 2)}</pre>
<ul><li><b>Check the signature</b> with a library of <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>: base64 of HMAC-SHA256 over <code>id.timestamp.body</code>, with the bytes after <code>whsec_</code>. Refuse timestamps older than five minutes. During a rotation there are two signatures, separated by a space.</li>
<li><b>Answer 2xx within 15 seconds.</b> Otherwise it is sent again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. Answer 410 to end the webhook. Redirects are not followed.</li>
<li><b>Expect repeats</b>: an event has the same <code>webhook-id</code> each time, and events can arrive out of order.</li>
<li><b>What changed</b>: <code>data.objects</code> names the whois objects, reverse zones, ROAs and ASPAs, 50 at most, each with <code>kind</code>, <code>name</code> and <code>done</code> (<code>create</code>, <code>modify</code>, <code>delete</code>).</li>
<li><b>The types</b> are the actions of the activity log (<code>/activity</code>); <code>webhook.test</code> is sent by the test button. A webhook that fails for five days is turned off, and the corporate contacts are notified.</li></ul></section>
<section id="dumps"><h2>Public data</h2><p>Files for everyone, without a key: make copies of these instead of asking call by call.</p>
<ul><li><b>Whois</b>: <code>/whois-dump/${source}/${source.toLowerCase()}.db.gz</code> and a file for each class, written each hour in which something changed; <code>${source}.CURRENTSERIAL</code> and <code>SHA256SUMS</code> beside them. NRTM follows every change (<code>/nrtm4</code>).</li>
<li><b>Delegations</b>: <code>/statistics/</code> has the statistics exchange files and the log of transfers, made when they are asked for, with serial and <code>.md5</code>.</li>
<li><b>RPKI</b>: RRDP and rsync, with serials of their own.</li></ul>
<p>Who held numbers on a day: <code>/resources/record?resource=198.51.100.0/24&amp;on=2026-03-01</code>. Exports (<code>…-export</code>) are streamed and have no limit of rows.</p></section>
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

/** Words with what is between backticks as code. */
const inCode = (words: string): Content[] =>
  words.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const shortPath = (path: string): string => path.slice(`${registryApiBase}/{account}`.length);

type Call = { path: string; method: string; operation: PublicOperation };

function callSection({ path, method, operation }: Call, description: Description, url: string): Content {
  const { operationId, summary, parameters, requestBody, responses } = operation;
  const scope: ApiScope = operation['x-scope'];
  const given = parameters.filter(({ name }) => name !== 'account');
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = type === 'application/json' ? JSON.stringify(exampleOf(body!.schema, description), null, 2) : null;
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']?.schema;
  return html`<article id="${operationId}" data-method="${method}" data-path="${path}"><h3><b class="m ${method.toLowerCase()}">${method}</b> <code>${shortPath(path)}</code> <a href="#scopes" class="scope">${scope}</a></h3><p>${inCode(summary)}</p>
${
  given.length > 0 &&
  html`<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Description</th></tr></thead><tbody>${given.map(
    ({ name, in: place, required, schema, description: words }) =>
      html`<tr><td><code>${name}</code>${required && html` <small>required</small>`}</td><td>${place}</td><td>${typeOf(schema)}</td><td>${words === undefined ? '' : inCode(words)}</td></tr>`,
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

/** An example value with the shape of a schema; it may not satisfy its rules. */
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
