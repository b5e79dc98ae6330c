import { type ServiceName, serviceNames, serviceTitles } from '@portal/contract/service-names';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressGroup } from '../../platform/line-server.ts';
import { readForms } from '../../platform/http/forms.ts';
import { type Content, html } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { askToSubscribe, choiceInWords, chooseServices, findSubscriber, servicesAmong, unsubscribe } from '../announcements/index.ts';
import { attempt, emailAddressProblem, fromOurPages, waitWords } from '../identity/index.ts';
import { readSubscriptionLink } from '../mail/index.ts';
import { framedPage, publicFrame, sheet } from '../public-pages/index.ts';

/** Bytes of a form. */
const MAX_FORM_BYTES = 8 * 1024;
const TITLE = 'E-mails about services';

/** The fields of the forms as they were sent. */
type Sent = { act: string; email: string; scope: string; services: ServiceName[] };
const sentIn = (fields: URLSearchParams): Sent => ({
  act: fields.get('act') ?? '',
  email: (fields.get('email') ?? '').toWellFormed().trim(),
  scope: fields.get('scope') === 'some' ? 'some' : 'all',
  services: servicesAmong(fields.getAll('services')),
});

/** The services that a form chooses: none stands for all. */
const chosenIn = ({ scope, services }: Sent): ServiceName[] => (scope === 'all' ? [] : services);
const servicesProblem = ({ scope, services }: Sent): string | null =>
  scope === 'some' && services.length === 0 ? 'Choose at least one service, or all of them.' : null;

/** The choice of services. */
function servicesFields({ scope, services }: Pick<Sent, 'scope' | 'services'>, wrong: string | null): Content {
  const radio = (value: string, label: string): Content =>
    html`<label><input type="radio" name="scope" value="${value}"${scope === value && html` checked`}> ${label}</label>`;
  return html`<fieldset class="lines"${wrong !== null && html` aria-invalid="true" aria-describedby="services-wrong"`}><legend>Services</legend>${radio('all', 'All services')}${radio('some', 'Only these:')}<div class="choices">${serviceNames.map(
    name =>
      html`<label><input type="checkbox" name="services" value="${name}"${services.includes(name) && html` checked`}> ${serviceTitles[name]}</label>`,
  )}</div>${wrong !== null && html`<p class="wrong" id="services-wrong">${wrong}</p>`}</fieldset>`;
}

const contents = sheet('contents', 'What you get', {
  body: html`<p class="pad quiet">One e-mail when an incident or planned work of a service is announced, and one for each update until it is over. An announcement that names no service goes to everyone.</p>`,
});

/** `/status/subscribe` asks for e-mails about services, and mails a link that confirms; `/status/subscription`, in each of these e-mails, changes the choice or ends them. */
export function subscriberPages(app: FastifyInstance, context: PageContext): void {
  const { db, config, clock } = context;
  const frame = publicFrame(context, 'apps/server/web/whois.css');
  const send = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex, nofollow')
      .send(framedPage(frame, { title, main, current: '/status' }));

  app.get('/status/subscribe', (request, reply) => {
    const { service } = request.query as { service?: unknown };
    const services = servicesAmong([service].flat());
    return send(reply, 200, TITLE, askPage({ email: '', scope: services.length > 0 ? 'some' : 'all', services }));
  });

  void app.register(async scope => {
    readForms(scope, MAX_FORM_BYTES, { read: sentIn });
    // As mail programs send it that unsubscribe with one click (RFC 8058, section 3.1); nothing in it counts.
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, _body, parsed) => parsed(null));
    scope.post('/status/subscribe', async (request, reply) => {
      fromOurPages(request);
      const sent = request.body as Sent;
      const wrong = { email: emailAddressProblem(sent.email), services: servicesProblem(sent) };
      if (wrong.email !== null || wrong.services !== null) return send(reply, 422, TITLE, askPage(sent, wrong));
      const here = await attempt(db, `subscriptions from ${addressGroup(request.address)}`, clock());
      if (here.waitSeconds > 0) {
        void reply.header('retry-after', String(here.waitSeconds));
        return send(reply, 429, TITLE, askPage(sent, wrong, waitWords(here.waitSeconds)));
      }
      // The page is the same if the mailbox already has too many links, or the e-mails: no one learns who gets them.
      const mailed = await attempt(db, `subscriptions of ${sent.email.toLowerCase()}`, clock());
      if (mailed.waitSeconds === 0)
        await askToSubscribe(
          context,
          { traceId: request.traceId, address: request.address },
          { email: sent.email, services: chosenIn(sent) },
        );
      return send(reply, 200, 'Check your mail', checkMailPage(sent));
    });
    scope.get('/status/subscription', async (request, reply) => {
      const subscriberId = readSubscriptionLink(config, request.query as Record<string, unknown>);
      if (subscriberId === null) return send(reply, 404, 'This link does not work', unknownLink);
      const found = await findSubscriber(db.read, subscriberId);
      if (found === null) return send(reply, 200, 'Unsubscribed', endedPage(null));
      const sent = { email: found.email, scope: found.services.length > 0 ? 'some' : 'all', services: found.services };
      return send(reply, 200, TITLE, choicePage(request.url, sent, { wrong: null, isSaved: false }));
    });
    scope.post('/status/subscription', async (request, reply) => {
      const subscriberId = readSubscriptionLink(config, request.query as Record<string, unknown>);
      if (subscriberId === null) return send(reply, 404, 'This link does not work', unknownLink);
      const line = { traceId: request.traceId, address: request.address };
      const found = await findSubscriber(db.read, subscriberId);
      if (found === null) return send(reply, 200, 'Unsubscribed', endedPage(null));
      const sent: Sent = { ...(request.body as Sent), email: found.email };
      // Mail programs unsubscribe with one click, without the form (RFC 8058): anything but the choice of services ends the e-mails.
      if (sent.act !== 'choose') {
        await db.change({ ...line, action: 'announcements.unsubscribe', summary: 'Unsubscribed from e-mails about services' }, change =>
          unsubscribe(change, subscriberId),
        );
        return send(reply, 200, 'Unsubscribed', endedPage(found.email));
      }
      fromOurPages(request);
      const wrong = servicesProblem(sent);
      if (wrong !== null) return send(reply, 422, TITLE, choicePage(request.url, sent, { wrong, isSaved: false }));
      await db.change({ ...line, action: 'announcements.chooseServices', summary: 'Chose services of e-mails' }, change =>
        chooseServices(change, subscriberId, chosenIn(sent)),
      );
      return send(reply, 200, TITLE, choicePage(request.url, sent, { wrong: null, isSaved: true }));
    });
  });
}

const noProblems = { email: null, services: null } as const;

function askPage(
  sent: Pick<Sent, 'email' | 'scope' | 'services'>,
  wrong: { email: string | null; services: string | null } = noProblems,
  message: string | null = null,
): Content {
  const count = [wrong.email, wrong.services].filter(each => each !== null).length;
  const summary = message ?? (count === 0 ? null : count === 1 ? 'One field needs attention.' : `${count} fields need attention.`);
  return html`<div class="answer"><h1>${TITLE}</h1><p class="lead">Get an e-mail when a service has an incident or planned work. You don’t need a login.</p></div>${
    summary !== null && html`<p class="note" role="alert">${summary}</p>`
  }<div class="columns"><div>${sheet('subscribe', 'Subscribe', {
    body: html`<form class="tool" method="post" action="/status/subscribe" novalidate><div class="field"><label for="email">Your e-mail</label><input id="email" name="email" type="email" value="${sent.email}" maxlength="254" autocomplete="email" spellcheck="false" required${wrong.email !== null && html` aria-invalid="true" aria-describedby="email-wrong"`}>${wrong.email !== null && html`<p class="wrong" id="email-wrong">${wrong.email}</p>`}</div>
${servicesFields(sent, wrong.services)}<button class="btn">Subscribe</button></form>`,
    foot: 'We mail you a link. The e-mails begin when you confirm there.',
  })}</div><aside aria-label="About these e-mails">${contents}${sheet('others', 'Without an address', {
    body: html`<p class="pad quiet">The same is on the <a href="/status">status page</a> and in its <a href="/status/feed.atom">Atom feed</a>, also for chosen services. Members get announcements by e-mail already, as their <a href="/settings#notifications">notification settings</a> say.</p>`,
  })}</aside></div>`;
}

/** The page after the form: the link is in the mail. */
const checkMailPage = (sent: Sent): Content =>
  html`<div class="answer"><h1>Check your mail</h1><p class="lead">We sent a link to <b>${sent.email}</b>. Open it within two hours to confirm. Services: ${choiceInWords(chosenIn(sent))}.</p><p class="quiet">No mail? Check your spam folder, or <a href="/status/subscribe">start again</a>.</p></div>`;

/** The choice of a subscriber, and the end of the e-mails. */
const choicePage = (
  action: string,
  sent: Pick<Sent, 'email' | 'scope' | 'services'>,
  { wrong, isSaved }: { wrong: string | null; isSaved: boolean },
): Content =>
  html`<div class="answer"><h1>${TITLE}</h1><p class="lead">To <b>${sent.email}</b></p></div>${isSaved && html`<p class="note" role="status">Saved. E-mails are about: ${choiceInWords(sent.scope === 'all' ? [] : sent.services)}.</p>`}${
    wrong !== null && html`<p class="note" role="alert">One field needs attention.</p>`
  }<div class="columns"><div>${sheet('choose', 'Services', {
    body: html`<form class="tool" method="post" action="${action}"><input type="hidden" name="act" value="choose">${servicesFields(sent, wrong)}<button class="btn">Save</button></form>`,
  })}${sheet('end', 'Unsubscribe', {
    body: html`<form class="tool" method="post" action="${action}"><p class="quiet">No more of these e-mails. Your address is deleted.</p><button class="btn plain">Unsubscribe</button></form>`,
  })}</div><aside aria-label="About these e-mails">${contents}</aside></div>`;

const endedPage = (email: string | null): Content =>
  html`<div class="answer"><h1>Unsubscribed</h1><p class="lead">${email === null ? 'This address no longer gets e-mails about services.' : html`<b>${email}</b> no longer gets e-mails about services. The address is deleted.`}</p><p><a href="/status/subscribe">Subscribe again</a></p></div>`;

const unknownLink = html`<div class="answer"><h1>This link does not work</h1><p class="lead">It’s incomplete. Open it from the e-mail again.</p></div>`;
