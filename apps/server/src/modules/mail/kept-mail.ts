import type { FastifyInstance } from 'fastify';
import type { Read } from '../../platform/database/index.ts';
import { html } from '../../platform/html.ts';

/** GET /dev/mail in demo mode: the last hundred messages, so that a newcomer sees what people would receive. */
export function showKeptMail(app: FastifyInstance, read: Read, { styleSheet, title }: { styleSheet: string; title: string }): void {
  app.get('/dev/mail', async (_request, reply) => {
    const messages = await read.selectFrom('mail').selectAll().orderBy('mailId', 'desc').limit(100).execute();
    const articles = messages.map(
      ({ recipient, subject, body, writtenAt, sentAt }) => html`<article>
<header><h2>${subject}</h2><p>To ${recipient}, ${writtenAt.slice(0, 16).replace('T', ' ')} UTC${sentAt ? '' : ', not delivered yet'}</p></header>
<pre>${body}</pre>
</article>`,
    );
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mail · ${title}</title>
<link rel="stylesheet" href="${styleSheet}">
</head>
<body>
<main>
<h1>Mail of the demo registry</h1>
<p>${messages.length === 0 ? 'Nothing has been written yet. What people would receive by e-mail is shown here.' : 'What people would receive by e-mail, newest first.'}</p>
${articles}
</main>
</body>
</html>`;
    return reply.type('text/html; charset=utf-8').send(page.markup);
  });
}
