import type { FastifyInstance } from 'fastify';
import type { Read } from '../../platform/database/index.ts';
import { type Html, html } from '../../platform/html.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { bodyOf, LINK_HOURS } from './mail.ts';

/** GET /dev/mail in demo mode: the last hundred messages, so that a newcomer sees what people would receive. */
export function showKeptMail(
  app: FastifyInstance,
  read: Read,
  { styleSheet, title, box, clock }: { styleSheet: string; title: string; box: SecretBox; clock: () => Date },
): void {
  app.get('/dev/mail', async (_request, reply) => {
    const yesterday = new Date(clock().getTime() - LINK_HOURS * 3_600_000).toISOString();
    const messages = await read.selectFrom('mail').selectAll().orderBy('mailId', 'desc').limit(100).execute();
    const articles = messages.map(
      ({ recipient, subject, body, sealedLink, writtenAt, sentAt }) => html`<article>
<header><h2>${subject}</h2><p>To ${recipient}, ${writtenAt.slice(0, 16).replace('T', ' ')} UTC${sentAt ? '' : ', not delivered yet'}</p></header>
<pre>${linked(readable(box, { recipient, body, sealedLink: writtenAt < yesterday ? null : sealedLink }))}</pre>
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

/** The body with its link where it opens; one message sealed under a SECRET_KEY of the past does not hide the others. */
function readable(box: SecretBox, message: Parameters<typeof bodyOf>[1]): string {
  try {
    return bodyOf(box, message);
  } catch {
    return message.body;
  }
}

/** The text with its addresses as links, since newcomers follow the ones they are sent. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>]*[^\s<>.,;:)])/)
    .map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
