import { portalNameOf } from '../../brand.ts';
import { DAY_MS, SECOND_MS } from '@portal/contract/days';
import type { FastifyInstance } from 'fastify';
import { html } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { accessibilityPage } from './accessibility-page.ts';
import { sendKept } from './kept-answer.ts';
import { framedPage, publicFrame } from './page-frame.ts';
import { privacyPage } from './privacy-page.ts';
import { robotsTxt } from './robots-txt.ts';
import { securityTxt, securityTxtPath } from './security-txt.ts';

const aDay = DAY_MS / SECOND_MS;

/** `/.well-known/security.txt`, `/accessibility` and `/privacy`, to which the foot of every public page leads, and `/robots.txt`. */
export function publicPages(app: FastifyInstance, context: PageContext): void {
  const { config, profile, release, clock, modules } = context;
  const frame = publicFrame(context);
  const kept = modules.flatMap(({ keeps }) => keeps ?? []);
  // Made for each request: names and colours change without another start.
  const accessibility = (): string =>
    framedPage(frame, {
      title: 'Accessibility',
      main: html`${accessibilityPage({ ...profile, product: portalNameOf(profile), release })}`,
      listed: true,
    });
  const privacy = (): string =>
    framedPage(frame, {
      title: 'Privacy',
      main: privacyPage({ ...profile, product: portalNameOf(profile), hasLoginPages: config.embeddedProvider, kept }),
      listed: true,
    });
  app.get(securityTxtPath, (request, reply) =>
    sendKept(request, reply, {
      body: securityTxt({ appUrl: config.appUrl, profile, now: clock() }),
      type: 'text/plain; charset=utf-8',
      seconds: aDay,
    }),
  );
  app.get('/robots.txt', (request, reply) =>
    sendKept(request, reply, { body: robotsTxt, type: 'text/plain; charset=utf-8', seconds: aDay }),
  );
  app.get('/accessibility', (request, reply) =>
    sendKept(request, reply, { body: accessibility(), type: 'text/html; charset=utf-8', seconds: aDay }),
  );
  app.get('/privacy', (request, reply) => sendKept(request, reply, { body: privacy(), type: 'text/html; charset=utf-8', seconds: aDay }));
}
