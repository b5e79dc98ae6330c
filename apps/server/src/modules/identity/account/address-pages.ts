import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import { Failure, refuse } from '../../../platform/failure.ts';
import { html } from '../../../platform/http/html.ts';
import { type Forms, fromOurPages } from '../pages/forms.ts';
import { type AddressPurpose, type LinkRefusal, type LoginLink, readLink, takeLink } from '../logins/login-links.ts';
import type { Frame } from '../pages/frame.ts';

/** The action of a confirmed link to an address, provided by the module that owns the address. */
export type AddressAct = {
  purpose: AddressPurpose;
  /** Its line in the activity log. */
  action: string;
  summary: string;
  /** The question, and the button that says yes. */
  title: string;
  act: string;
  /** The question in whole sentences; null if there is nothing left to confirm. */
  asks: (read: Read, link: LoginLink) => Promise<readonly string[] | null>;
  /** Performs the action, and returns what was done, in words. @throws Failure with a message for the person */
  run: (change: Change, link: LoginLink) => Promise<readonly string[]>;
  /** Where its person came from, if it isn’t the portal: someone without a login has nothing to go back to there. */
  cameFrom?: (link: LoginLink) => Back;
};

/** A page to go back to, and its name. */
type Back = { href: string; name: string };

declare module '../../../platform/module.ts' {
  interface Contributions {
    /** Actions of links that were mailed to an address to prove it. */
    addressActs?: (context: ModuleContext) => readonly AddressAct[];
  }
}

type Options = { db: Database; forms: Forms; frame: Frame; clock: () => Date; acts: readonly AddressAct[] };

/** Returns the address of a link with this purpose. */
export const addressLink = (appUrl: string, purpose: AddressPurpose, token: string): string =>
  `${appUrl}/account/address/${purpose}?token=${token}`;

const refusals: Record<LinkRefusal, [string, string]> = {
  expired: ['This link has expired', 'No changes were made. Ask for a new link.'],
  used: ['This link was already used', 'Each link works once, or a newer one has replaced it.'],
  unknown: ['This link does not work', 'It’s incomplete or very old. Copy the whole address from the e-mail.'],
};

/** /account/address/…: the pages of links to addresses. GET asks, because mail scanners open links too; POST acts. No sign-in needed. */
export function addressRoutes(app: FastifyInstance, { db, forms, frame, clock, acts }: Options): void {
  const home: Back = { href: frame.home, name: frame.product };
  const says = (
    request: FastifyRequest,
    reply: FastifyReply,
    { status, title, words, back = home }: { status: number; title: string; words: readonly string[]; back?: Back },
  ): FastifyReply =>
    forms.answer(
      reply,
      status,
      frame(
        forms.context(request),
        title,
        html`<h1>${title}</h1>${words.map(each => html`<p>${each}</p>`)}<div class="row"><a class="btn" href="${back.href}">Back to ${back.name}</a></div>`,
      ),
    );
  const refused = (request: FastifyRequest, reply: FastifyReply, why: LinkRefusal): FastifyReply =>
    says(request, reply, { status: 410, title: refusals[why][0], words: [refusals[why][1]] });
  const gone = 'It’s no longer valid. No changes were made.';

  for (const { purpose, action, summary, title, act, asks, run, cameFrom = () => home } of acts) {
    const path = `/account/address/${purpose}`;
    app.get(path, async (request, reply) => {
      const { token = '' } = request.query as Record<string, string | undefined>;
      const found = await readLink(db.read, token, purpose, clock());
      if (found.state !== 'open') return refused(request, reply, found.state);
      const words = await asks(db.read, found.link);
      if (words === null) return says(request, reply, { status: 410, title: 'No action needed', words: [gone] });
      return forms.answer(
        reply,
        200,
        frame(
          forms.context(request),
          title,
          html`<form method="post" action="${path}"><input type="hidden" name="token" value="${token}"><h1>${title}</h1>${words.map(each => html`<p>${each}</p>`)}
<div class="row"><button class="btn">${act}</button><a class="small" href="${cameFrom(found.link).href}">Cancel</a></div></form>`,
        ),
      );
    });

    app.post(path, async (request, reply) => {
      fromOurPages(request);
      const token = forms.field(request, 'token', 100);
      const line = { action, summary, traceId: request.traceId, address: request.address };
      try {
        const { words, back } = await db.change(line, async change => {
          const found = await takeLink(change, token, purpose);
          if (found.state !== 'open') throw new Refused(found.state);
          if ((await asks(change, found.link)) === null) throw refuse('NOT_FOUND', { what: 'This link’s request' });
          return { words: await run(change, found.link), back: cameFrom(found.link) };
        });
        return says(request, reply, { status: 200, title: 'Done', words, back });
      } catch (error) {
        if (error instanceof Refused) return refused(request, reply, error.state);
        if (error instanceof Failure && error.status < 500)
          return says(request, reply, { status: 409, title: 'This couldn’t be done', words: [`${error.message}.`] });
        throw error;
      }
    });
  }
}

/** Rolls back the whole change, its log line included. */
class Refused extends Error {
  state: LinkRefusal;
  constructor(state: LinkRefusal) {
    super(state);
    this.state = state;
  }
}
