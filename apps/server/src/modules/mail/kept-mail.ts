import type { FastifyInstance } from 'fastify';
import type { Read } from '../../platform/database/index.ts';

/** GET /dev/mail in demo mode: the last hundred messages, so that a newcomer sees what people would receive. */
export function showKeptMail(app: FastifyInstance, read: Read): void {
  app.get('/dev/mail', async (_request, reply) => {
    const messages = await read.selectFrom('mail').selectAll().orderBy('mailId', 'desc').limit(100).execute();
    const items = messages.map(
      ({ recipient, subject, body, writtenAt, sentAt }) =>
        `<article><h2>${escaped(subject)}</h2><p>To ${escaped(recipient)}, ${escaped(writtenAt)}${sentAt ? '' : ', waiting'}</p><pre>${escaped(body)}</pre></article>`,
    );
    return reply
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mail of the demo registry</title><main><h1>Mail of the demo registry</h1>${items.join('') || '<p>No mail has been written yet.</p>'}</main></html>`,
      );
  });
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
