import { SECOND_MS } from '@portal/contract/days';
import { serviceNames } from '@portal/contract/service-names';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../platform/failure.ts';
import { limitBodies } from '../../platform/http/body-limit.ts';
import { html } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { framedPage, publicFrame, sendKept } from '../public-pages/index.ts';
import { type Look, rememberLooks } from './last-look.ts';
import { availabilityOf } from './service-days.ts';
import { type OutsideCheck, outsideServices } from './outside-checks.ts';
import { services } from './service-list.ts';
import type { Received } from './sent-reports.ts';
import { statusFeed } from './status-feed.ts';
import { noticesIn, noticesOf } from './notices.ts';
import { headline, statusPage } from './status-page.ts';
import { subscriberPages } from './subscriber-pages.ts';

/** Seconds for which caches may show the page. */
const KEPT_SECONDS = 15;

/** `/status`, as a page, as JSON and as a feed. All of them answer while the database doesn’t. */
export function statusPages(app: FastifyInstance, context: PageContext): void {
  const { config, profile, clock } = context;
  const frame = publicFrame(context, 'apps/server/web/status.css');
  const looks = rememberLooks(context);
  let stop: (() => void) | undefined;
  app.addHook('onListen', async () => {
    stop = looks.watch();
  });
  app.addHook('onClose', async () => stop?.());

  subscriberPages(app, context);
  takeWatchers(app, looks.receive);
  app.get('/status', async (request, reply) => {
    const { as: form } = request.query as { as?: unknown };
    if (form !== undefined && form !== 'json' && form !== 'headline') throw refuse('NOT_FOUND', { what: 'This form of the page' });
    const look = await looks.last();
    const now = clock();
    if (form === 'json' || form === 'headline') {
      void reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
      return sendKept(request, reply, {
        body: JSON.stringify(form === 'json' ? statusJson(look, now) : headlineJson(look, now)),
        type: 'application/json; charset=utf-8',
        seconds: KEPT_SECONDS,
      });
    }
    const body = framedPage(frame, {
      title: 'Status',
      main: statusPage(look, now),
      current: '/status',
      listed: true,
      head: html`<link rel="alternate" type="application/atom+xml" href="/status/feed.atom" title="Incidents and planned work">`,
    });
    return sendKept(request, reply, { body, type: 'text/html; charset=utf-8', seconds: KEPT_SECONDS });
  });

  app.get('/status/feed.atom', async (request, reply) => {
    const { service } = request.query as { service?: unknown };
    const asked = service === undefined ? [] : [service].flat();
    const only = serviceNames.filter(name => asked.includes(name));
    if (only.length < new Set(asked).size) throw refuse('NOT_FOUND', { what: 'This service' });
    const body = statusFeed(await looks.last(), { appUrl: config.appUrl, registryName: profile.registryName, now: clock(), only });
    void reply.header('access-control-allow-origin', '*');
    return sendKept(request, reply, { body, type: 'application/atom+xml; charset=utf-8', seconds: KEPT_SECONDS });
  });
}

/** Bytes of a report: six checks have less than two thousand. */
const MAX_REPORT_BYTES = 20_000;

/** The answers to reports of watchers. */
const receivedAs = {
  stored: [204, ''],
  remembered: [202, 'The database doesn’t answer. This process keeps the report until it does.'],
  unknown: [401, 'This token isn’t known, or it was revoked. Registry staff create one under Registry data.'],
  wrong: [422, 'The report isn’t one that registry watch writes, or its time is in the future.'],
  'too often': [429, 'A watcher reports at most every five seconds.'],
} as const satisfies Record<Received, readonly [number, string]>;

/** `/status/watch`: takes the reports of watchers, each with its token (`registry watch send`). */
function takeWatchers(
  app: FastifyInstance,
  receive: (report: { authorization: string | undefined; text: string; address: string }) => Promise<Received>,
): void {
  void app.register((scope, _options, done) => {
    limitBodies(scope, MAX_REPORT_BYTES);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    scope.post('/status/watch', async (request, reply) => {
      const { authorization } = request.headers;
      const received = await receive({
        authorization,
        text: typeof request.body === 'string' ? request.body : '',
        address: request.address,
      });
      const [status, why] = receivedAs[received];
      if (received === 'unknown') void reply.header('www-authenticate', 'Bearer');
      if (received === 'too often') void reply.header('retry-after', '5');
      return reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(why);
    });
    done();
  });
}

/** The page in one sentence, for the foot of the portal's pages and for boards of others: its fields stay. */
function headlineJson(look: Look, now: Date): object {
  const { state, title } = headline(look, now);
  return { state, title, readAt: look.readAt };
}

/** Announcements about a service now, by their ids in the lists below. */
function idsOfNotices(service: string, look: Look, now: Date) {
  const { incidents, planned } = noticesOf(service, look, now);
  const ids = (some: typeof incidents) => some.map(({ announcementId }) => announcementId);
  return { openIncidents: ids(incidents), plannedWork: ids(planned) };
}

const checksJson = (checks: readonly OutsideCheck[]) => checks.map(check => ({ ...check, title: outsideServices[check.service] }));

/** The page for programs: its fields stay. */
function statusJson(look: Look, now: Date): object {
  const { services: states, feeds, days, readAt, downSince, outside } = look;
  return {
    readAt,
    databaseDownSince: downSince,
    services: states.map(({ service, state, note }) => ({
      service,
      title: services.find(({ key }) => key === service)!.title,
      state,
      note,
      ...idsOfNotices(service, look, now),
      available: availabilityOf(days.get(service) ?? []),
      days: (days.get(service) ?? []).map(({ day, working, late, down }) => ({
        day,
        workingMinutes: working,
        lateMinutes: late,
        downMinutes: down,
      })),
    })),
    feeds: feeds.map(({ name, title, asOf, most, late }) => ({
      name,
      title,
      asOf,
      ageSeconds: Math.round((now.getTime() - Date.parse(asOf!)) / SECOND_MS),
      mostSeconds: most === null ? null : most * 60,
      late,
    })),
    outside: outside && {
      seenAt: outside.seenAt,
      current: outside.isCurrent,
      services: checksJson(outside.checks),
      watchers: outside.places.map(({ place, report, isCurrent }) => ({
        place,
        seenAt: report?.at ?? null,
        current: isCurrent,
        services: checksJson(report?.checks ?? []),
      })),
    },
    ...noticesIn(look, now),
  };
}
