import type { AnyEndpoint } from '@portal/api-client';
import type { Endpoint } from '@portal/contract';
import { registryApiPathOf } from '@portal/contract/registry-api-paths';

/** Characters of a body that are shown; a longer one is sent from a file. */
const MAX_SHOWN = 4_000;

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Passwords that people write into whois objects don't belong in a terminal's history. */
const withoutSecrets = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(password|override|api-key):.*$/gim, '$1: …') : value;

/**
 * Returns a call of the portal as one of the registry API: a line of curl with `$KEY` in place of a key. Null where the registry API doesn't have it, or its body is a file.
 * @param input path parameters, `query` and `body`, as the portal's client takes them
 */
export function asApiCall(endpoint: AnyEndpoint, input: object, origin: string): string | null {
  const { publicApi, method } = endpoint as Endpoint;
  const { query, body, ...params } = input as Record<string, unknown>;
  if (!publicApi || method === 'GET' || body instanceof Blob) return null;
  const path = registryApiPathOf(publicApi).replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(
    Object.entries((query ?? {}) as Record<string, string | number | boolean | null | undefined>).flatMap(([name, value]) =>
      value == null ? [] : [[name, String(value)]],
    ),
  ).toString();
  const lines = [`curl -X ${method} -H "Authorization: Bearer $KEY"`];
  if (body !== undefined) {
    const text = JSON.stringify(body, withoutSecrets, 2);
    lines.push('-H "Content-Type: application/json"', `-d ${text.length > MAX_SHOWN ? '@body.json' : quoted(text)}`);
  }
  lines.push(quoted(`${origin}${path}${search && `?${search}`}`));
  return lines.join(' \\\n  ');
}
