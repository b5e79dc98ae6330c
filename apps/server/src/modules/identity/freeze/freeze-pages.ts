import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { type FreezeLink, readFreezeLink } from '../../mail/index.ts';
import { openErasureOf } from '../erasure/erasures.ts';
import { type Forms, fromOurPages } from '../pages/forms.ts';
import { freezeLogin } from './freeze.ts';
import { loginById } from '../logins/logins.ts';
import { type Frame, hiddenToken, type PageContext } from '../pages/frame.ts';

type Options = { db: Database; config: Config; forms: Forms; frame: Frame; clock: () => Date };

const still = 'If you didn’t make a change, choose a new password. That ends all your sessions. Registry staff can also help.';
/** Answers of a link that freezes nothing: title, words, and more. */
const refusals = {
  expired: ['This link has expired', 'Links work for 7 days.', still],
  used: ['This link was already used', 'Each link works once. It was used to freeze the login.', null],
  unknown: ['This link does not work', 'It’s incomplete. Copy the whole address from the e-mail.', still],
  'frozen already': ['This login is already frozen', 'It can’t be used to log in right now.', null],
  'erasure taken back': [
    'The request was taken back',
    'Nothing is erased. The login stays frozen.',
    'Each address of its owner got an e-mail. If you didn’t ask for the erasure, registry staff can also help.',
  ],
} as const;

/**
 * /account/freeze: the page behind "this was not me" in a mail. GET asks, POST acts. No session is needed: the signature in the address is enough,
 * and freezing that login is all it can do.
 */
export function freezeRoutes(app: FastifyInstance, { db, config, forms, frame, clock }: Options): void {
  const linkOf = (request: FastifyRequest) => readFreezeLink(config, db.read, request.query as Record<string, unknown>, clock());
  const page = (request: FastifyRequest, reply: FastifyReply, status: number, made: (context: PageContext) => string): FastifyReply =>
    forms.answer(reply, status, made(forms.context(request)));
  const { embeddedProvider: embedded } = config;

  const says = (title: string, words: string, more: string | null) => (context: PageContext) =>
    frame(
      context,
      title,
      html`<h1>${title}</h1><p>${words}</p>${more && html`<p>${more}</p>`}
<div class="row">${embedded && html`<a class="btn" href="/account/reset">Choose a new password</a>`}<a class="small" href="${frame.home}">Back to ${frame.product}</a></div>`,
    );
  const refused = (request: FastifyRequest, reply: FastifyReply, why: keyof typeof refusals): FastifyReply =>
    page(
      request,
      reply,
      why === 'unknown' ? 404 : why === 'frozen already' || why === 'erasure taken back' ? 200 : 410,
      says(refusals[why][0], refusals[why][1], refusals[why][2]),
    );

  /** Explains, to a reader who doesn't know it: whose login, which account, and the effect. */
  const asks = async (request: FastifyRequest, reply: FastifyReply, link: FreezeLink): Promise<FastifyReply> => {
    const login = await loginById(db.read, link.loginId);
    if (!login || login.disabledAt !== null) return refused(request, reply, 'expired');
    const erasure = await openErasureOf(db.read, link.loginId);
    if (login.frozenAt !== null && !erasure) return refused(request, reply, 'frozen already');
    const whose = html`<p>The login <b>${login.username}</b> of ${login.fullName}${link.accountName && html`, a contact of <b class="nw">${link.accountName}</b>`}.</p>`;
    const form = (title: string, words: Html, button: string) => (context: PageContext) =>
      frame(
        context,
        title,
        html`<form method="post" action="${request.url}">${hiddenToken(forms.tokenOf(`freeze ${link.freezeLinkId}`))}<h1>${title}</h1>
${whose}
${words}
<div class="row"><button class="btn danger">${button}</button><a class="small" href="${frame.home}">Cancel</a></div></form>`,
      );
    if (login.frozenAt !== null)
      return page(
        request,
        reply,
        200,
        form(
          'Take the request back?',
          html`<p>The login is frozen already, and a request to erase this person’s data is open. Take it back if this person didn’t make it.</p>`,
          'Take the request back',
        ),
      );
    return page(
      request,
      reply,
      200,
      form(
        'Freeze this login?',
        html`<p>Freeze it if this person didn’t make a change. All its sessions end, and it can’t be used in any account until ${
          embedded
            ? 'a new password is chosen with a link sent to its e-mail address, or registry staff unfreeze it'
            : 'registry staff unfreeze it'
        }. ${erasure ? 'The request to erase this person’s data is taken back.' : 'Nothing else changes.'}</p>`,
        'Freeze the login',
      ),
    );
  };

  app.get('/account/freeze', async (request, reply) => {
    const found = await linkOf(request);
    return found.state === 'open' ? asks(request, reply, found.link) : refused(request, reply, found.state);
  });

  app.post('/account/freeze', async (request, reply) => {
    fromOurPages(request);
    const found = await linkOf(request);
    if (found.state !== 'open') return refused(request, reply, found.state);
    // A program that posts to the address without the page, such as a mail scanner, freezes nothing.
    if (!forms.carriesToken(request, `freeze ${found.link.freezeLinkId}`)) return asks(request, reply, found.link);
    const origin = { traceId: request.traceId, address: request.address, userAgent: request.headers['user-agent']?.slice(0, 300) };
    const outcome = await freezeLogin({ db, config }, origin, found.link);
    if (outcome !== 'frozen') return refused(request, reply, outcome);
    const back = embedded
      ? `To unfreeze it, its owner chooses a new password with a link sent to the login’s address. It then can’t make changes for ${coolDownHours} hours.`
      : 'Registry staff can unfreeze it.';
    return page(
      request,
      reply,
      200,
      says('The login is frozen', 'All its sessions ended and it can’t be used. Its owner and the corporate contacts got an e-mail.', back),
    );
  });
}
