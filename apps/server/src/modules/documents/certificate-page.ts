import type { Profile } from '../../profile.ts';
import { dayIn, utcDay } from '@portal/contract/days';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { dayInWords } from '../../platform/attention.ts';
import { beginningOf } from '../../platform/beginning-of.ts';
import type { Read } from '../../platform/database/index.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { publicPage, sendPage } from '../../platform/http/public-page.ts';
import { type CheckedCertificate, findCertificate, readCode, spelled } from './certificates.ts';

type Options = {
  read: Read;
  /** Finds certificates of other modules. */
  others: readonly ((read: Read, code: string) => Promise<CheckedCertificate | null>)[];
  profile: Profile;
  styleSheet: string;
  clock: () => Date;
};

/** /certificates: anyone with the code of a certificate can enter it, or open the address on it, to see what was issued. */
export function certificatePages(app: FastifyInstance, { read, others, profile, styleSheet, clock }: Options): void {
  const page = publicPage({ profile, area: 'Certificates', styleSheet });
  const answer = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    sendPage(reply, status, page(title, main));
  const rows = (facts: readonly (readonly [label: string, value: string])[]): Content =>
    html`<dl class="rows">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`;
  const form = (typed: string): Content => html`<form method="get" action="/certificates">
<div class="field"><label for="code">Code on the certificate</label>
<input class="inp mono" id="code" name="code" value="${typed}" maxlength="30" autocomplete="off" autocapitalize="characters" spellcheck="false" required></div>
<button class="btn" type="submit">Check</button></form>`;

  const look = async (reply: FastifyReply, given: string): Promise<FastifyReply> => {
    const typed = beginningOf(given, 60);
    const code = readCode(typed);
    const found = code === null ? null : await findCertificate(read, code);
    if (!found && code !== null)
      for (const find of others) {
        const other = await find(read, code);
        if (other)
          return answer(
            reply,
            200,
            other.title,
            html`<p>${profile.registryName} issued this certificate on <span class="nw">${dayInWords(other.issuedOn)}.</span></p>
${rows([...other.facts, ['Code', spelled(code)]])}`,
          );
      }
    if (!found)
      return answer(
        reply,
        404,
        'Certificate not found',
        html`<p>${profile.registryName} issued no certificate with the code ${typed}. Check the letters and digits.</p>${form(typed)}`,
      );
    const { now, ...issued } = found;
    const today = dayIn(profile.timeZone, clock());
    const stands = now.accountStatus === 'open' && (now.expiryDate === null || now.expiryDate >= today);
    return answer(
      reply,
      200,
      'Certificate of membership',
      html`<p>${profile.registryName} issued this certificate on <span class="nw">${dayInWords(utcDay(issued.issuedAt))}.</span>
${stands ? html`<b>The membership is valid today.</b>` : html`<b>The membership isn’t valid today.</b>`}</p>
${rows([
  ['Organisation', issued.orgName],
  ['Account', issued.accountName],
  ['Economy', issued.economy ?? 'Not recorded'],
  ['Member since', issued.memberSince === null ? 'Not recorded' : dayInWords(issued.memberSince)],
  ['Valid to', issued.validUntil === null ? 'No end' : dayInWords(issued.validUntil)],
  ['Code', spelled(issued.code)],
])}
${now.orgName === issued.orgName ? '' : html`<p>The organisation’s current name is <bdi>${now.orgName}</bdi>.</p>`}`,
    );
  };

  app.get('/certificates', async (request, reply) => {
    const { code } = request.query as { code?: unknown };
    if (typeof code === 'string' && code.trim() !== '') return look(reply, code);
    return answer(reply, 200, 'Check a certificate', form(''));
  });
  app.get('/certificates/:code', (request, reply) => look(reply, (request.params as { code: string }).code));
}
