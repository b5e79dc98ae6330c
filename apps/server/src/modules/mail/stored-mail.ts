import { isRowId } from '@portal/contract/row-ids';
import { HOUR_MS, instantBefore } from '@portal/contract/days';
import type { FastifyInstance } from 'fastify';
import type { Selectable } from 'kysely';
import type { Read, Tables } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { LINK_HOURS, mailOf } from './mail.ts';
import { FORGOTTEN_LINK, type MailSender, renderedMailDocument, mailStyle, mailStyleSource, renderMail } from './mail-template.ts';
import type { PersonOf } from './person.ts';

type StoredMail = {
  read: Read;
  styleSheet: string;
  titleOf: () => string;
  box: SecretBox;
  mailSender: MailSender;
  personOf: PersonOf;
  clock: () => Date;
};
type Mail = Selectable<Tables['mail']>;

/**
 * GET /dev/mail in demo mode: the last hundred messages as people would see them, the text of each one click away, so that developers see what people
 * receive; GET /dev/mail/<id> is one of them. The HTML is our own; its style sheet is allowed by hash.
 */
export function showStoredMail(app: FastifyInstance, { read, styleSheet, titleOf, box, mailSender, personOf, clock }: StoredMail): void {
  const rendered = async (mail: Mail) => {
    const yesterday = instantBefore(clock(), LINK_HOURS * HOUR_MS);
    const kept = { ...mail, sealedLink: mail.writtenAt < yesterday ? null : mail.sealedLink };
    try {
      return renderMail(await mailOf(read, kept, { box, mailSender, personOf }), mailSender);
    } catch {
      // One message sealed under an old SECRET_KEY must not hide the others.
      const letter = await mailOf(read, { ...kept, sealedLink: null }, { box, mailSender, personOf });
      return renderMail({ ...letter, link: letter.link === null ? null : FORGOTTEN_LINK }, mailSender);
    }
  };
  const allowStyle = (policy: unknown): string => String(policy).replace(/style-src [^;]*/, rule => `${rule} ${mailStyleSource}`);

  app.get('/dev/mail', async (_request, reply) => {
    const mails = await read.selectFrom('mail').selectAll().orderBy('mailId', 'desc').limit(100).execute();
    const articles: Html[] = [];
    for (const mail of mails) {
      const { text, content } = await rendered(mail);
      const { mailId, subject, recipient, writtenAt, sentAt, refusedAt, failure } = mail;
      const state = refusedAt ? `, refused: ${failure}` : sentAt ? '' : ', not delivered yet';
      articles.push(html`<article aria-labelledby="mail-${mailId}">
<header><h2 id="mail-${mailId}">${subject}</h2><p>To ${recipient}, ${writtenAt.slice(0, 16).replace('T', ' ')} UTC${state}.${mail.attaches === null ? '' : ` Carries ${mail.attaches.split(':').at(-1)}.pdf.`} <a href="/dev/mail/${mailId}">Alone</a></p></header>
${content}
<details><summary>As text</summary><pre>${linked(text)}</pre></details>
</article>`);
    }
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
LETTERS
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mail · ${titleOf()}</title>
<link rel="stylesheet" href="${styleSheet}">
</head>
<body>
<main>
<h1>Mail of the demo registry</h1>
<p>${mails.length === 0 ? 'No e-mails yet. E-mails sent by the demo registry appear here.' : 'E-mails sent by the demo registry, newest first.'}</p>
${articles}
</main>
</body>
</html>`.markup.replace('LETTERS', () => `<style>${mailStyle}</style>`);
    const policy = allowStyle(reply.raw.getHeader('content-security-policy'));
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
  });

  app.get<{ Params: { mailId: string } }>('/dev/mail/:mailId', async (request, reply) => {
    const { mailId } = request.params;
    const mail = isRowId(mailId)
      ? await read.selectFrom('mail').selectAll().where('mailId', '=', Number(mailId)).executeTakeFirst()
      : undefined;
    if (!mail) throw refuse('NOT_FOUND', { what: 'The e-mail' });
    const page = renderedMailDocument(mail.subject, await rendered(mail));
    const policy = allowStyle(reply.raw.getHeader('content-security-policy'));
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
  });
}

/** The text with its addresses as links. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>]*[^\s<>.,;:)])/)
    .map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
