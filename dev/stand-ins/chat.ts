import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The part of a live chat service that the portal meets: the script of its widget, under the path that the specification names, and what such a widget brings of
 * its own: a second script by a plain address, a style sheet, a picture, a call and a frame. The button that it adds to the page opens the frame, which shows the
 * values that the chat was prefilled with.
 */
export async function chatStandIn({ port = 0 }: { port?: number } = {}) {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://chat.invalid');
    asked.push(pathname);
    const answer = answers[pathname];
    response.writeHead(answer ? 200 : 404, {
      'content-type': answer?.[0] ?? 'text/plain',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    response.end(answer?.[1] ?? 'There is nothing here.');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Paths that browsers have asked for, in order. */
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const widget = `window.embedded_svc = {
  settings: {},
  init: function (core, community, gslb, org, name, merge) {
    Object.assign(this.settings, { core, community, gslb, org, name, merge });
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: core + '/chat.css' });
    const more = Object.assign(document.createElement('script'), { src: core + '/chat-button.js' });
    document.head.append(sheet, more);
  },
};`;

const button = `(function () {
  const { settings } = window.embedded_svc;
  const button = document.createElement('button');
  button.className = 'stand-in-chat';
  button.type = 'button';
  button.append(Object.assign(document.createElement('img'), { src: settings.core + '/chat.svg', alt: '' }), 'Chat with an expert');
  button.onclick = async function () {
    const { waiting } = await (await fetch(settings.core + '/queue')).json();
    const said = { waiting, fields: settings.prepopulatedPrechatFields, details: settings.extraPrechatFormDetails };
    const frame = Object.assign(document.createElement('iframe'), { title: 'Chat', src: settings.core + '/room#' + encodeURIComponent(JSON.stringify(said)) });
    frame.className = 'stand-in-chat-room';
    document.body.append(frame);
  };
  document.body.append(button);
})();`;

const answers: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/embeddedservice/5.0/esw.min.js': ['text/javascript', widget],
  '/chat-button.js': ['text/javascript', button],
  '/chat.css': [
    'text/css',
    '.stand-in-chat { position: fixed; right: 16px; bottom: 16px; } .stand-in-chat-room { position: fixed; right: 16px; bottom: 60px; }',
  ],
  '/chat.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16"/></svg>'],
  '/queue': ['application/json', '{"waiting":2}'],
  '/room': [
    'text/html',
    `<!doctype html><html lang="en"><title>Chat</title><h1>Chat</h1><dl></dl><script>
const { waiting, fields, details } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const entries = [['Waiting', waiting], ...Object.entries(fields), ...details.map(({ label, value }) => [label, value])];
for (const [name, value] of entries) document.querySelector('dl').append(Object.assign(document.createElement('dt'), { textContent: name }), Object.assign(document.createElement('dd'), { textContent: value }));
</script></html>`,
  ],
};
