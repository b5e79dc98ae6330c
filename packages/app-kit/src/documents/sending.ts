import type { ClientOptions } from '@portal/api-client';

/** Called with the uploaded share of a body, from 0 to 1. */
export type Sent = (share: number) => void;

/**
 * A `fetch` with upload progress, which the browser's lacks. It supports only what `createClient` needs: text and headers of the answer, and `signal`.
 */
export const sendingWithProgress =
  (onSent: Sent): ClientOptions['fetch'] =>
  (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers as Record<string, string>)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total));
      request.addEventListener('load', () => resolve(answerOf(request)));
      request.addEventListener('error', () => reject(new TypeError('The file couldn’t be uploaded')));
      request.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      const abort = (): void => request.abort();
      if (signal?.aborted) return reject(new DOMException('Aborted', 'AbortError'));
      signal?.addEventListener('abort', abort, { once: true });
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
      request.send(body as Blob);
    });

function answerOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const empty = request.status === 204 || request.status === 304;
  return new Response(empty ? null : request.responseText, { status: request.status, headers });
}
