import { DAY_MS, dayIn, monthsAfter, SECOND_MS } from '@portal/contract/days';
import { dayOf } from '@portal/number-resources/written-day';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Read } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import type { Content } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { framedPage, publicFrame, sendKept } from '../public-pages/index.ts';
import { figuresCsv } from './figure-files.ts';
import { daysAround, figuresOf, type KeptFigures, lastDaysOfMonths, pointsUntil } from './kept-figures.ts';
import { noDay, noDayWords, noFigures, noForm, numbersPage } from './numbers-page.ts';

/** Seconds for which caches keep the newest figures, and those of a day, which stay. */
const KEPT_SECONDS = { newest: 600, day: DAY_MS / SECOND_MS };

/** Forms of the figures. */
const forms = ['page', 'csv', 'json'] as const;

/** Tells whether an answer is for a program: asked for as data, or by a client that reads JSON and no pages. */
const isForProgram = ({ query, headers: { accept = '' } }: FastifyRequest): boolean => {
  const { as } = query as { as?: unknown };
  return (as !== undefined && as !== 'page') || (accept.includes('application/json') && !accept.includes('text/html'));
};

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
    if (form === undefined)
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .send(page(noForm(kept.day)));
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
    const [points, before, offered] = await Promise.all([
      pointsUntil(read, kept.day),
      figuresOf(read, monthsAfter(kept.day, -12), true),
      lastDaysOfMonths(read),
    ]);
    const body = page(
      numbersPage({ ...kept, source: sourceOf(), offered, points, yearAgo: before?.figures.economies ?? [] }),
      `Numbers of ${kept.day}`,
    );
    return sendKept(request, reply, { body, type: 'text/html; charset=utf-8', seconds });
  }
  /** The day of an address is none of the calendar: the page says which form is right, and the data refuse. */
  async function sendNoDay(
    request: FastifyRequest,
    reply: FastifyReply,
    { read, day }: { read: Read; day: string },
  ): Promise<FastifyReply> {
    const today = dayIn(profile.timeZone, clock());
    if (isForProgram(request)) throw refuseField('day', noDayWords(day, today));
    const offered = await lastDaysOfMonths(read);
    return reply
      .code(400)
      .type('text/html; charset=utf-8')
      .send(page(noDay(day, today, offered)));
  }
  const sendNone = async (reply: FastifyReply, read: Read, day: string): Promise<FastifyReply> => {
    const [days, offered] = await Promise.all([daysAround(read, day), lastDaysOfMonths(read)]);
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(page(noFigures(day, days, offered)));
  };

  app.get('/numbers', async (request, reply) => {
    const { day, as } = request.query as { day?: string | string[]; as?: string | string[] };
    const { read } = dbForQuestion();
    // An empty field of the form asks for no day.
    if (day !== undefined && day !== '') {
      const asked = typeof day === 'string' ? dayOf(day) : null;
      if (asked !== null)
        return reply.redirect(`/numbers/${asked}${as === undefined ? '' : `?as=${encodeURIComponent([as].flat().join())}`}`, 303);
      return sendNoDay(request, reply, { read, day: [day].flat().join(', ') });
    }
    const today = dayIn(profile.timeZone, clock());
    const kept = await figuresOf(read, today, true);
    return kept ? send(request, reply, { read, kept, seconds: KEPT_SECONDS.newest }) : sendNone(reply, read, today);
  });
  app.get('/numbers/:day', async (request, reply) => {
    const { day } = request.params as { day: string };
    const { read } = dbForQuestion();
    const asked = dayOf(day);
    if (asked === null) return sendNoDay(request, reply, { read, day });
    // One address for one day.
    if (asked !== day) return reply.redirect(`/numbers/${asked}`, 301);
    const kept = await figuresOf(read, day);
    return kept ? send(request, reply, { read, kept, seconds: KEPT_SECONDS.day }) : sendNone(reply, read, day);
  });
}
