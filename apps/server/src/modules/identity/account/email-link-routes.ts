import type { FastifyInstance } from 'fastify';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { emailLinkPages } from './account-pages.ts';
import type { AccountTools, Query } from './account-tools.ts';
import { confirmEmailChange, readEmailLink, undoEmailChange } from './email-change.ts';

/** Registers what the links of an e-mail change open: it is confirmed at the new address, undone at the old one. No session is needed. */
export function emailLinkRoutes(
  app: FastifyInstance,
  { db, config, box, account, forms, linkFrame, clock, from, originOf }: AccountTools,
): void {
  const links = emailLinkPages(linkFrame);
  for (const [path, purpose] of [
    ['/account/email/confirm', 'change-email'],
    ['/account/email/undo', 'undo-change-email'],
  ] as const) {
    const csrfOf = (token: string): string => forms.tokenOf(`${purpose} ${token}`);
    app.get(path, async (request, reply) => {
      const context = forms.context(request);
      const { token = '' } = request.query as Query;
      const found = await readEmailLink(db, token, purpose, clock());
      if ('refused' in found) return forms.answer(reply, 410, links.refused(context, found.refused));
      const page = { ...found, token, csrf: csrfOf(token) };
      return forms.answer(reply, 200, purpose === 'change-email' ? links.confirm(context, page) : links.undo(context, page));
    });
    app.post(path, async (request, reply) => {
      const context = forms.context(request);
      const token = forms.field(request, 'token', 100);
      const found = await readEmailLink(db, token, purpose, clock());
      if ('refused' in found || !forms.carriesToken(request, `${purpose} ${token}`))
        return forms.answer(reply, 410, links.refused(context, 'refused' in found ? found.refused : 'unknown'));
      const { login, email } = found;
      const here = await account.sessionOf(request, reply);
      const own = here?.loginId === login.loginId ? here : null;
      const origin: ActivityOrigin = own
        ? originOf(request, own)
        : { ...from(request), login: { issuer: config.issuerUri, subject: login.loginId } };
      const tools = { db, config, box };
      const refused =
        purpose === 'change-email'
          ? await confirmEmailChange(tools, origin, token, own?.sid ?? null)
          : await undoEmailChange(tools, origin, token);
      if (refused !== null) return forms.answer(reply, 410, links.refused(context, refused));
      return forms.answer(reply, 200, purpose === 'change-email' ? links.confirmed(context, email) : links.undone(context, email));
    });
  }
}
