import type { Profile } from '../../profile.ts';
import { topics } from '@portal/contract/notifications/topics';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limitBodies } from '../../platform/http/body-limit.ts';
import type { Config } from '../../config.ts';
import type { Change, Database } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { publicPage, sendPage } from '../../platform/http/public-page.ts';
import { readUnsubscribeLink } from '../mail/index.ts';
import { unsubscribe } from './preferences.ts';

type Options = {
  db: Database;
  config: Config;
  profile: Profile;
  styleSheet: string;
  /** Functions with which modules end their subscriptions. */
  enders: readonly EndSubscriptions[];
};

/** Ends the subscriptions that e-mails of a topic were about, by the ids in their link; returns their description. */
type EndSubscriptions = (change: Change, loginId: string, ids: string) => Promise<string[]>;

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Ends subscriptions smaller than a whole topic. */
    endsSubscriptions?: readonly EndSubscriptions[];
  }
}

/**
 * /account/unsubscribe: the page of the unsubscribe link. GET asks, because mail scanners open links too; POST acts, from the page or from a mail
 * program with one click (RFC 8058). The signature in the address is enough, and can only stop e-mails of one topic.
 */
export function unsubscribePage(app: FastifyInstance, { db, config, profile, styleSheet, enders }: Options): void {
  const page = publicPage({ profile, area: 'Notifications', styleSheet });
  const answer = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    sendPage(reply, status, page(title, main));
  const settings = html`<p><a href="${config.appUrl}/settings#notifications">Notification settings</a></p>`;
  const unknown = (reply: FastifyReply): FastifyReply =>
    answer(
      reply,
      404,
      'This link does not work',
      html`<p>It’s incomplete. Open it from the e-mail again, or change your settings in the portal.</p>${settings}`,
    );
  const linkOf = (request: FastifyRequest) => readUnsubscribeLink(config, request.query as Record<string, unknown>);

  void app.register((scope, _options, done) => {
    limitBodies(scope, 4096);
    // The body that a mail program sends adds nothing to the address.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string' },
      (_request, _body, parsed) => parsed(null, null),
    );
    scope.get('/account/unsubscribe', (request, reply) => {
      const link = linkOf(request);
      if (!link) return unknown(reply);
      const { label, words } = topics[link.topic];
      if (link.from !== null)
        return answer(
          reply,
          200,
          'Unfollow?',
          html`<p>You stop following the subject of this e-mail. Other e-mails about “${label}” continue.</p>
<form method="post" action="${request.url}"><button class="btn" type="submit">Unfollow</button></form>${settings}`,
        );
      return answer(
        reply,
        200,
        'Stop these e-mails?',
        html`<p>You stop getting e-mails about “${label}”: ${words}</p><p>You still find them in the portal.</p>
<form method="post" action="${request.url}"><button class="btn" type="submit">Stop these e-mails</button></form>${settings}`,
      );
    });
    scope.post('/account/unsubscribe', async (request, reply) => {
      const link = linkOf(request);
      if (!link) return unknown(reply);
      const line = {
        action: 'notifications.unsubscribe',
        summary: 'Unsubscribed with the link in an e-mail',
        traceId: request.traceId,
        address: request.address,
        // With another provider people have different subjects; the login is in the details.
        login: config.embeddedProvider ? { issuer: config.issuerUri, subject: link.loginId } : null,
      };
      if (link.from !== null) {
        const { loginId, from } = link;
        const ended = await db.change(line, async change => {
          const names: string[] = [];
          for (const end of enders) names.push(...(await end(change, loginId, from)));
          await change.note({ login: loginId, follows: names });
          return names;
        });
        return answer(
          reply,
          200,
          'You no longer follow this',
          html`<p>${ended.length === 0 ? 'It was already ended.' : `Ended: ${ended.join(', ')}.`} You can follow it again on its page.</p>${settings}`,
        );
      }
      try {
        await db.change(line, change => unsubscribe(change, link.loginId, link.topic));
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'TOPIC_LOCKED') throw error;
        return answer(reply, error.status, 'These e-mails continue', html`<p>${error.message}.</p>${settings}`);
      }
      const { label } = topics[link.topic];
      return answer(
        reply,
        200,
        'Unsubscribed',
        html`<p>You no longer get e-mails about “${label}”. You still find them in the portal.</p>${settings}`,
      );
    });
    done();
  });
}
