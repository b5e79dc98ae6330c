import { DAY_MS, dayIn, monthsAfter, SECOND_MS, utcDay } from '@portal/contract/days';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Content } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { framedPage, publicFrame, sendKept } from '../public-pages/index.ts';
import { figuresCsv } from './figure-files.ts';
import { figureDays, figuresOf, type KeptFigures, lastDaysOfMonths, pointsUntil } from './kept-figures.ts';
import { noDay, noDayWords, noFigures, numbersPage } from './numbers-page.ts';

/** Seconds for which caches keep the newest figures, and those of a day, which stay. */
const KEPT_SECONDS = { newest: 600, day: DAY_MS / SECOND_MS };

/** Forms of the figures. */
const forms = ['page', 'csv', 'json'] as const;

/** A day of the calendar as addresses name it. */
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && utcDay(text) === text;

/** `/numbers`, and `/numbers/2026-10-31`, which stays: what the registry has, gives out and certifies, as it was counted on that day. */
export function numbersPages(app: FastifyInstance, context: PageContext): void {
  const { dbForQuestion, config, profile, clock } = context;
  // Read for each page: the name of the registry may change without another start.
  const sourceOf = () => ({
    registry: profile.registryName,
    contact: profile.supportEmail,
    appUrl: config.appUrl,
    timeZone: profile.timeZone,
  });
  const frame = publicFrame(context, 'apps/server/web/numbers.css');
  const page = (main: Content, title = 'Numbers'): string => framedPage(frame, { title, main, current: '/numbers', listed: true });

  type Kept = { read: Read; kept: KeptFigures; seconds: number };
  async function send(request: FastifyRequest, reply: FastifyReply, { read, kept, seconds }: Kept): Promise<FastifyReply> {
    const { as: asked = 'page' } = request.query as { as?: unknown };
    const form = forms.find(each => each === asked);
    if (form === undefined) throw refuse('NOT_FOUND', { what: 'This form of the page' });
    if (form !== 'page') {
      void reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
      const name = `numbers-${kept.day}.${form}`;
      void reply.header('content-disposition', `${form === 'csv' ? 'attachment' : 'inline'}; filename="${name}"`);
      return sendKept(request, reply, {
        body: form === 'csv' ? figuresCsv(kept) : JSON.stringify({ day: kept.day, ...kept.figures }),
        type: form === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8',
        seconds,
      });
    }
    const [points, days, before, offered] = await Promise.all([
      pointsUntil(read, kept.day),
      figureDays(read, kept.day),
      figuresOf(read, monthsAfter(kept.day, -12), true),
      lastDaysOfMonths(read),
    ]);
    const body = page(
      numbersPage({ ...kept, source: sourceOf(), offered, points, days, yearAgo: before?.figures.economies ?? [] }),
      `Numbers of ${kept.day}`,
    );
    return sendKept(request, reply, { body, type: 'text/html; charset=utf-8', seconds });
  }
  /** The day of an address is none of the calendar: the page says which form is right, and the data refuse. */
  const sendNoDay = (reply: FastifyReply, { day, today, as }: { day: string; today: string; as: unknown }): FastifyReply => {
    if (as !== undefined && as !== 'page') throw refuseField('day', noDayWords(day, today));
    return reply
      .code(400)
      .type('text/html; charset=utf-8')
      .send(page(noDay(day, today)));
  };
  const sendNone = async (reply: FastifyReply, read: Read, day: string): Promise<FastifyReply> => {
    const [days, offered] = await Promise.all([figureDays(read, day), lastDaysOfMonths(read)]);
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(page(noFigures(day, days, offered)));
  };

  app.get('/numbers', async (request, reply) => {
    const { day, as } = request.query as { day?: string | string[]; as?: string | string[] };
    const { read } = dbForQuestion();
    const today = dayIn(profile.timeZone, clock());
    // An empty field of the form asks for no day.
    if (day !== undefined && day !== '') {
      if (typeof day === 'string' && isDay(day))
        return reply.redirect(`/numbers/${day}${as === undefined ? '' : `?as=${encodeURIComponent([as].flat().join())}`}`, 303);
      return sendNoDay(reply, { day: [day].flat().join(', '), today, as });
    }
    const kept = await figuresOf(read, today, true);
    return kept ? send(request, reply, { read, kept, seconds: KEPT_SECONDS.newest }) : sendNone(reply, read, today);
  });
  app.get('/numbers/:day', async (request, reply) => {
    const { day } = request.params as { day: string };
    if (!isDay(day)) throw refuse('NOT_FOUND', { what: 'This page' });
    const { read } = dbForQuestion();
    const kept = await figuresOf(read, day);
    return kept ? send(request, reply, { read, kept, seconds: KEPT_SECONDS.day }) : sendNone(reply, read, day);
  });
}
