import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../../platform/line-server.ts';
import { readForms } from '../../platform/http/forms.ts';
import type { Content } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { addressLink, attempt, fromOurPages, makeLink, waitWords } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { framedPage, publicFrame } from '../public-pages/index.ts';
import { fieldsIn, Report, type ReportFields, wrongIn } from './report-form.ts';
import { checkMailPage, reportFormPage } from './form-page.ts';
import { reportPagesTexts } from './mail-texts.ts';

/** Bytes of the form: its text in the longest spelling that a browser gives it. */
const MAX_FORM_BYTES = 64 * 1024;
/** How long the link of a report works. */
const LINK_MINUTES = (2 * HOUR_MS) / MINUTE_MS;

/** `/whois/report`: the form, and the link that it mails. Links fill it in: `?about=198.18.0.0/19&fault=bounces`. */
export function reportPages(app: FastifyInstance, context: PageContext): void {
  const { db, clock } = context;
  const frame = publicFrame(context, 'apps/server/web/whois.css');
  const send = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex, nofollow')
      .send(framedPage(frame, { title, main, current: '/whois' }));
  const title = 'Report wrong data';

  app.get('/whois/report', (request, reply) =>
    send(reply, 200, title, reportFormPage({ fields: fieldsIn(request.query as Record<string, unknown>), wrong: {}, message: null })),
  );

  void app.register(async scope => {
    readForms(scope, MAX_FORM_BYTES);
    scope.post('/whois/report', async (request, reply) => {
      fromOurPages(request);
      const fields = fieldsIn((request.body ?? {}) as Record<string, unknown>);
      const wrong = wrongIn(fields);
      const again = (status: number, message: string | null): FastifyReply =>
        send(reply, status, title, reportFormPage({ fields, wrong, message }));
      if (Object.keys(wrong).length > 0) return again(422, null);
      const here = await attempt(db, `reports from ${addressGroup(request.address)}`, clock());
      if (here.waitSeconds > 0) {
        void reply.header('retry-after', String(here.waitSeconds));
        return again(429, waitWords(here.waitSeconds));
      }
      // The page is the same if the mailbox already has too many links: no one learns what others wrote to it.
      const mailed = await attempt(db, `reports of ${fields.email.toLowerCase()}`, clock());
      if (mailed.waitSeconds === 0) await mailReportLink(context, request, fields);
      return send(reply, 200, 'Check your mail', checkMailPage(fields));
    });
  });
}

/** Mails the link with which a report is sent. The mail has nothing of what was typed but the address it goes to. */
async function mailReportLink(
  { db, config, profile, box }: PageContext,
  request: FastifyRequest,
  { email, ...fields }: ReportFields,
): Promise<void> {
  const line = {
    action: 'reportPages.askToSend',
    summary: 'Asked to send a report of wrong data',
    traceId: request.traceId,
    address: request.address,
  };
  await db.change(line, async change => {
    const { token } = await makeLink(change, { purpose: 'data-report', email, asked: Report.parse(fields), minutes: LINK_MINUTES });
    await sendMail(
      change,
      {
        topic: 'login.links',
        recipient: email,
        text: reportPagesTexts.written('sendReport', { registryName: profile.registryName }),
        act: 'Read and send the report',
        link: addressLink(config.appUrl, 'data-report', token),
      },
      box,
    );
  });
}
