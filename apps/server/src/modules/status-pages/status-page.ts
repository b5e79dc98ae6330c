import { announcementCategories, stages } from '@portal/contract/announcements/announcement-shapes';
import { DAY_MS, MINUTE_MS, SECOND_MS, utcDay } from '@portal/contract/days';
import { servicesInWords } from '@portal/contract/service-names';
import { whoisPermalink } from '@portal/contract/whois/permalink';
import { formatCount } from '@portal/number-resources';
import { dayInWords } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import type { PublicAnnouncement } from '../announcements/index.ts';
import { badge, type Mark, sheet } from '../public-pages/index.ts';
import type { Look } from './last-look.ts';
import { incidentPicture } from './incident-picture.ts';
import { isOver, isUnderWay, noticesIn, noticesOf } from './notices.ts';
import { aheadInWords, planPicture } from './plan-picture.ts';
import { availabilityOf, LOOK_MINUTES, type ServiceDay, SHOWN_DAYS } from './service-days.ts';
import { type OutsideName, outsideNames, outsideServices } from './outside-checks.ts';
import type { OutsideView } from './outside-report.ts';
import { type Service, serviceGroups, services } from './service-list.ts';
import type { State } from './service-states.ts';

const stateWords = { working: 'Working', late: 'Delayed', down: 'Down' } as const satisfies Record<State, string>;
const stateMarks = { working: 'valid', late: 'warning', down: 'invalid' } as const satisfies Record<State, Mark>;

/** A time of the day, and the day where it isn’t today. */
function timeInWords(instant: string, now: Date): string {
  const time = `${instant.slice(11, 16)} UTC`;
  return now.getTime() - Date.parse(instant) < DAY_MS / 2 ? time : `${dayInWords(instant)}, ${time}`;
}

/** How long something takes, in its two largest units: 1 h 50 min. */
export function timeSpan(milliseconds: number): string {
  if (milliseconds < MINUTE_MS) return `${Math.round(milliseconds / SECOND_MS)} s`;
  const minutes = Math.round(milliseconds / MINUTE_MS);
  if (minutes < 120) return `${minutes} min`;
  if (milliseconds < 2 * DAY_MS) return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
  return `${formatCount(Math.floor(milliseconds / DAY_MS))} days`;
}

const percent = (share: number | null): string => (share === null ? '–' : `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`);

/** Returns the worst state of a day: it counts as that. */
export function worstOf({ working, late, down }: ServiceDay): State | 'unmeasured' {
  if (down > 0) return 'down';
  if (late > 0) return 'late';
  return working > 0 ? 'working' : 'unmeasured';
}

/** Ninety days as marks, one a day, today last. */
function strip(title: string, days: readonly ServiceDay[]): Content {
  const marks = days.map(worstOf);
  const count = (state: State): number => marks.filter(mark => mark === state).length;
  const said = `${title}: ${count('down')} days with an outage and ${count('late')} with delays in ${SHOWN_DAYS} days`;
  return html`<svg class="strip" role="img" aria-label="${said}" viewBox="0 0 ${SHOWN_DAYS * 4} 20" preserveAspectRatio="none">${marks.map(
    (mark, place) =>
      html`<rect class="${mark}" x="${place * 4 + 0.5}" y="${mark === 'unmeasured' ? 9 : 0}" width="3" height="${mark === 'unmeasured' ? 2 : 20}"/>`,
  )}</svg>`;
}

const minutesInWords = (minutes: number): string => timeSpan(minutes * MINUTE_MS);

/** Days that weren’t good, for those who read and don’t look. */
function badDays(days: Look['days']): Content {
  const rows = services
    .flatMap(({ key, title }) => (days.get(key) ?? []).filter(({ late, down }) => late + down > 0).map(each => ({ title, ...each })))
    .toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
  if (rows.length === 0) return null;
  return html`<details><summary>Days with delays or outages, ${rows.length} in the list</summary><div class="wide" tabindex="0" role="region" aria-label="Days with delays or outages"><table class="tight"><thead><tr><th scope="col">Day</th><th scope="col">Service</th><th scope="col" class="num">Delayed</th><th scope="col" class="num">Down</th></tr></thead><tbody>${rows.map(
    ({ title, day, late, down }) =>
      html`<tr><th scope="row">${dayInWords(day)}</th><td>${title}</td><td class="num">${late > 0 && minutesInWords(late)}</td><td class="num">${down > 0 && minutesInWords(down)}</td></tr>`,
  )}</tbody></table></div></details>`;
}

/** Links to the notices below that are about a service now. */
function noticesOfService(service: string, look: Look, now: Date): Content {
  const { incidents, planned } = noticesOf(service, look, now);
  const link = ({ announcementId, title }: PublicAnnouncement): Content => html`<a href="#notice-${announcementId}">${title}</a>`;
  const workInWords = (each: PublicAnnouncement): Content =>
    each.happensFrom !== null && !isUnderWay(each, now) && html`, ${aheadInWords(each.happensFrom, now)}`;
  return html`${incidents.map(each => html`<br><span class="told">Incident: ${link(each)}</span>`)}${planned.map(
    each => html`<br><span class="told quiet">Planned work: ${link(each)}${workInWords(each)}</span>`,
  )}`;
}

function serviceRow({ key, title, detail }: Service, look: Look, now: Date): Content {
  const { services: states, days } = look;
  const { state, note } = states.find(({ service }) => service === key)!;
  const measured = days.get(key) ?? [];
  const late = measured.reduce((sum, day) => sum + day.late, 0);
  return html`<tr${state !== 'working' && html` class="${state}"`}><th scope="row">${title}${detail !== undefined && html` <span class="quiet">${detail}</span>`}${note !== '' && html`<br><span class="quiet">${note}</span>`}${noticesOfService(key, look, now)}</th><td class="days">${measured.length > 0 && strip(title, measured)}</td><td class="num">${percent(availabilityOf(measured))}${late > 0 && html`<br><span class="quiet">${minutesInWords(late)} delayed</span>`}</td><td class="state">${badge(stateMarks[state], stateWords[state])}</td></tr>`;
}

function servicesSheet(look: Look, now: Date): Content {
  const body = html`<div class="wide" tabindex="0" role="region" aria-label="Services, listed"><table class="cards services"><caption class="away">Services, their last ${SHOWN_DAYS} days and their state now</caption><thead><tr><th scope="col">Service</th><th scope="col"><span class="ends"><span>${SHOWN_DAYS} days ago</span><span>today</span></span></th><th scope="col" class="num">Available</th><th scope="col">Now</th></tr></thead>${serviceGroups.map(
    ({ title, services: members }) =>
      html`<tbody><tr class="group"><th scope="rowgroup" colspan="4">${title}</th></tr>${members.map(each => serviceRow(each, look, now))}</tbody>`,
  )}</table></div>${badDays(look.days)}`;
  return sheet('services', 'Services', {
    head: html`<p class="aside">One mark a day</p><p class="legend push"><span class="working">Working</span><span class="late">Delayed</span><span class="down">Outage</span><span class="unmeasured">Not measured</span></p>`,
    body,
    foot: html`Available: the share of measured minutes in which a service answered, those with delays too: they are named below the share. Minutes of an announced incident count as the announcement says. <a href="/status?as=json">All figures as JSON</a>`,
  });
}

/** Answers of a service as each watcher saw it, by its place. */
function seenAtPlaces(service: OutsideName, { places }: OutsideView): Content {
  const seen = places.flatMap(({ place, report, isCurrent }) => {
    const check = isCurrent && report!.checks.find(each => each.service === service);
    return place !== null && check ? [{ place, check }] : [];
  });
  return html`<ul class="places">${seen.map(
    ({ place, check: { state, milliseconds } }) =>
      html`<li class="${state}">${place} <b>${state === 'down' ? 'no answer' : `${formatCount(milliseconds)} ms`}</b></li>`,
  )}</ul>`;
}

/** Watchers that don’t report, by their names where they have some: what they saw before says nothing. */
function silentInWords({ places, isCurrent, seenAt }: OutsideView, now: Date): Content {
  const since = (at: string | null) => (at === null ? 'yet' : html`since ${timeInWords(at, now)}`);
  if (!isCurrent)
    return html`<p class="note">Not watched ${since(seenAt)}. This says nothing of the services: ${places.length === 1 ? 'the watcher doesn’t report' : 'no watcher reports'}.</p>`;
  const silent = places.filter(each => !each.isCurrent);
  return (
    silent.length > 0 &&
    html`<p class="note">${silent.map(({ place, report }) => html`The watcher in ${place} hasn’t reported ${since(report?.at ?? null)}. `)}This says nothing of the services: ${silent.length === 1 ? 'it doesn’t count' : 'they don’t count'}.</p>`
  );
}

/** The services as watchers on other networks see them, by the protocols of their readers. Without a current report, since when no one has looked. */
function outsideSheet({ outside, days }: Look, now: Date): Content {
  if (!outside) return null;
  const { checks, isCurrent, seenAt, places } = outside;
  const areNamed = places.some(({ place }) => place !== null);
  const known = new Set(places.flatMap(({ report }) => report?.checks.map(({ service }) => service) ?? []));
  const rows = outsideNames.flatMap(service => {
    const measured = days.get(service) ?? [];
    return known.has(service) || measured.some(day => worstOf(day) !== 'unmeasured')
      ? [{ service, measured, check: checks.find(each => each.service === service) }]
      : [];
  });
  return sheet('outside', 'Seen from outside', {
    head: html`<p class="aside">${places.length === 1 ? 'By a watcher on another network' : `By ${places.length} watchers on other networks`}</p>`,
    body: html`${silentInWords(outside, now)}${
      rows.length > 0 &&
      html`<div class="wide" tabindex="0" role="region" aria-label="Services seen from outside"><table class="cards services${areNamed && ' seen'}"><caption class="away">Services as watchers see them, their last ${SHOWN_DAYS} days and their state now</caption><thead><tr><th scope="col">Service</th><th scope="col">Last ${SHOWN_DAYS} days</th><th scope="col"${!areNamed && html` class="num"`}>${areNamed ? 'Seen from' : 'Answer'}</th><th scope="col">Now</th></tr></thead><tbody>${rows.map(
        ({ service, measured, check }) =>
          html`<tr${check && check.state !== 'working' && html` class="${check.state}"`}><th scope="row">${outsideServices[service]}${check && check.note !== '' && html`<br><span class="quiet">${check.note}</span>`}</th><td class="days">${strip(outsideServices[service], measured)}</td>${
            areNamed
              ? html`<td class="num">${seenAtPlaces(service, outside)}</td>`
              : html`<td class="num">${check && check.state !== 'down' && `${formatCount(check.milliseconds)} ms`}</td>`
          }<td class="state">${check ? badge(stateMarks[check.state], stateWords[check.state]) : badge('plain', 'Not watched')}</td></tr>`,
      )}</tbody></table></div>`
    }`,
    ...(isCurrent && {
      foot: html`${places.length > 1 && 'A service counts as most of the watchers that report see it. '}Seen at ${timeInWords(seenAt!, now)}.`,
    }),
  });
}

/** Where the promise stands on the bar of an age, in percent. */
const PROMISE_AT = 45;

function freshSheet({ feeds, readAt, downSince }: Look, now: Date): Content {
  if (feeds.length === 0) return null;
  // While the database doesn’t answer, nothing new is published: ages go on.
  const rows = feeds.map(feed => {
    const ageMs = Math.max(0, downSince === null ? feed.ageMs! : now.getTime() - Date.parse(feed.asOf!));
    return { ...feed, ageMs, late: feed.most !== null && ageMs > feed.most * MINUTE_MS };
  });
  const bar = ({ ageMs, most, late }: (typeof rows)[number]): Content =>
    most !== null &&
    html`<svg class="age" aria-hidden="true" width="100%" height="14"><rect class="ground" y="2" width="100%" height="10"/><rect class="${late ? 'late' : 'fresh'}" y="4" width="${Math.min(100, Math.round((ageMs / (most * MINUTE_MS)) * PROMISE_AT * 10) / 10)}%" height="6"/><rect class="promise" x="${PROMISE_AT}%" width="2" height="14"/></svg>`;
  return sheet('fresh', 'Fresh data', {
    head: html`<p class="aside">Age, and how old it may be</p>`,
    body: html`<div class="wide" tabindex="0" role="region" aria-label="Ages of published data"><table class="cards ages"><caption class="away">Age of everything that is published or sent</caption><thead><tr><th scope="col">Data</th><th scope="col"><span class="away">Age, drawn</span></th><th scope="col" class="num">Age</th><th scope="col" class="num">At most</th><th scope="col">State</th></tr></thead><tbody>${rows.map(
      row =>
        html`<tr${row.late && html` class="late"`}><th scope="row">${row.title}</th><td class="days">${bar(row)}</td><td class="num">${timeSpan(row.ageMs)}</td><td class="num quiet">${row.most === null ? '–' : timeSpan(row.most * MINUTE_MS)}</td><td class="state">${row.late ? badge('warning', 'Late') : badge('valid', 'Fresh')}</td></tr>`,
    )}</tbody></table></div>`,
    foot: html`A bar that crosses the line is late. Age counts from the newest change that is published.${
      readAt !== null && downSince !== null && html` Read at ${timeInWords(readAt, now)}.`
    }`,
  });
}

const instantInWords = (instant: string): Content =>
  html`<time datetime="${instant}">${dayInWords(instant)}, ${instant.slice(11, 16)} UTC</time>`;

/** From when until when something happens: the day once where it is the same. */
function happensInWords({ happensFrom, happensUntil }: PublicAnnouncement, now: Date): Content {
  if (happensFrom === null) return null;
  const isToCome = Date.parse(happensFrom) > now.getTime();
  const ahead = isToCome && html` <span class="quiet">${aheadInWords(happensFrom, now)}</span>`;
  if (happensUntil === null) return html`<p class="when"><b>${instantInWords(happensFrom)}</b>${ahead}</p>`;
  const isOneDay = utcDay(Date.parse(happensFrom)) === utcDay(Date.parse(happensUntil));
  return html`<p class="when"><b>${
    isOneDay
      ? html`<time datetime="${happensFrom}">${dayInWords(happensFrom)}, ${happensFrom.slice(11, 16)}</time> to <time datetime="${happensUntil}">${happensUntil.slice(11, 16)} UTC</time>`
      : html`${instantInWords(happensFrom)} to ${instantInWords(happensUntil)}`
  }</b>${ahead}</p>`;
}

/** Prefixes and AS numbers lead to their pages of whois. */
const concernsInWords = ({ concerns }: PublicAnnouncement): Content =>
  concerns.length > 0 &&
  html`<p class="about"><span class="quiet">About</span> ${concerns.map(
    (each, place) => html`${place > 0 && ', '}<a class="mono" href="${whoisPermalink(each)}">${each}</a>`,
  )}</p>`;

/** The services that it affects. */
const servicesOf = ({ services: names }: PublicAnnouncement): Content =>
  names.length > 0 && html`<p><span class="quiet">Affects</span> ${servicesInWords(names)}</p>`;

/** Updates of a notice, the newest first. */
const updatesInWords = ({ updates }: PublicAnnouncement): Content =>
  updates.length > 0 &&
  html`<ol class="updates" aria-label="Updates">${updates.map(
    ({ stage, text, at }, place) =>
      html`<li><i aria-hidden="true">${updates.length - place}</i><p><b>${stages[stage]}</b> <span class="quiet">${instantInWords(at)}</span></p>${paragraphs(text)}</li>`,
  )}</ol>`;
const paragraphs = (text: string): Content => text.split(/\n{2,}/).map(each => html`<p>${each}</p>`);

/** The mark of a notice now. */
function markOf(each: PublicAnnouncement, now: Date): Content {
  if (isOver(each, now)) return badge('plain', 'Over');
  if (each.category === 'maintenance' && each.happensFrom !== null)
    return Date.parse(each.happensFrom) > now.getTime() ? badge('plain', 'Planned') : badge('warning', 'Under way');
  return badge(
    each.severity === 'critical' ? 'invalid' : 'warning',
    each.updates[0] ? stages[each.updates[0].stage] : each.severity === 'critical' ? 'Critical' : 'Current',
  );
}

/** The picture of an incident with updates, from the time that is told, or from its announcement. */
const pictureOf = (each: PublicAnnouncement, now: Date): Content =>
  each.category !== 'maintenance' &&
  each.updates.length > 0 &&
  incidentPicture({ ...each, happensFrom: each.happensFrom ?? each.publishedAt }, now);

function noticeList(rows: readonly PublicAnnouncement[], now: Date, numbers: ReadonlyMap<PublicAnnouncement, number> = new Map()): Content {
  return html`<ul class="notices">${rows.map(
    each =>
      html`<li id="notice-${each.announcementId}"${each.updates.length > 0 && html` class="told"`}><div><div class="headline">${numbers.has(each) && html`<span class="number">${numbers.get(each)}</span>`}<h3>${each.title}</h3>${markOf(each, now)}</div>${happensInWords(each, now)}${paragraphs(each.body)}${pictureOf(each, now)}${servicesOf(each)}${concernsInWords(each)}<p class="quiet">${announcementCategories[each.category]}, announced ${instantInWords(each.publishedAt)}${
        each.expiresAt !== null && each.happensFrom === null && html`, until ${instantInWords(each.expiresAt)}`
      }</p></div>${updatesInWords(each)}</li>`,
  )}</ul>`;
}

/** Planned work as a list, with the days that are ahead drawn beside it, each by its number. */
function plannedPart(planned: readonly PublicAnnouncement[], now: Date): Content {
  const ahead = planned.filter(each => each.happensFrom !== null && !isOver(each, now));
  if (ahead.length === 0) return noticeList(planned, now);
  const numbers = new Map(ahead.map((each, place) => [each, place + 1]));
  const days = ahead.map((each, place) => ({
    number: place + 1,
    from: utcDay(Date.parse(each.happensFrom!)),
    to: utcDay(Date.parse(each.happensUntil ?? each.happensFrom!)),
  }));
  return html`<div class="planned"><div class="pad">${planPicture(days, now)}</div>${noticeList(planned, now, numbers)}</div>`;
}

function noticeSheets(look: Look, now: Date): Content {
  const { incidents, planned } = noticesIn(look, now);
  return html`${sheet('incidents', 'Incidents', {
    head: html`<p class="aside">Last ${SHOWN_DAYS} days</p>`,
    body: incidents.length > 0 ? noticeList(incidents, now) : html`<p class="pad">No incidents. New ones appear here and in the feed.</p>`,
  })}${sheet('planned', 'Planned work', {
    body: planned.length > 0 ? plannedPart(planned, now) : html`<p class="pad">No work is planned. Announced maintenance appears here.</p>`,
  })}`;
}

const count = (number: number): string => (number === 1 ? 'One service is' : `${number} services are`);

/** The state of everything in a sentence. */
export function headline(
  { services: states, downSince, readAt, outside, announcements }: Look,
  now: Date,
): { state: State; title: string; text: string } {
  if (downSince !== null)
    return {
      state: 'down',
      title: `The registry’s database hasn’t answered since ${timeInWords(downSince, now)}`,
      text: `Whois, RDAP and the portal can’t answer now. Reverse DNS, the RPKI repository and published files stay available. Nothing that was saved is lost.${
        readAt === null ? '' : ` The rest of this page is from ${timeInWords(readAt, now)}.`
      }`,
    };
  const open = noticesIn({ announcements }, now).incidents.filter(each => each.services.length > 0 && isUnderWay(each, now));
  const told = open.length > 0 && `Open incident${open.length === 1 ? '' : 's'}: ${open.map(({ title }) => title).join('; ')}.`;
  const down = states.filter(({ state }) => state === 'down');
  const late = states.filter(({ state }) => state === 'late');
  if (down.length > 0)
    return { state: 'down', title: `${count(down.length)} down`, text: told || 'The list below has the state of each service.' };
  const unreachable = outside?.checks.filter(({ state: seen }) => seen === 'down') ?? [];
  if (unreachable.length > 0)
    return {
      state: 'down',
      title: `${count(unreachable.length)} not answering from outside`,
      text: `The registry’s own servers work. ${outside!.places.length === 1 ? 'A watcher on another network' : 'Most watchers on other networks'} got no good answer from: ${unreachable.map(({ service }) => outsideServices[service]).join(', ')}.`,
    };
  if (late.length > 0)
    return {
      state: 'late',
      title: `${count(late.length)} delayed`,
      text:
        told ||
        `Changes that wait don’t need to be repeated. ${states.length - late.length === 1 ? 'The other one works' : `The other ${states.length - late.length} work`}.`,
    };
  return { state: 'working', title: 'All services work', text: '' };
}

/** The status page. It is made of what this process knows, so that it is there without the database. */
export function statusPage(look: Look, now: Date): Content {
  const { state, title, text } = headline(look, now);
  return html`<div class="answer withforms"><div><h1>Status</h1><p class="lead">Checked every ${LOOK_MINUTES} minutes by the registry’s own servers.</p></div><nav class="forms" aria-label="Other forms"><a href="/status/subscribe">Get e-mails</a><a href="/status/feed.atom">Atom feed</a><a href="/status?as=json">JSON</a></nav></div>
<section class="now ${state}" aria-labelledby="now"><div>${badge(stateMarks[state], stateWords[state])}</div><div><h2 id="now">${title}</h2>${text !== '' && html`<p>${text}</p>`}</div></section>
<div class="stack">${servicesSheet(look, now)}${outsideSheet(look, now)}${freshSheet(look, now)}${noticeSheets(look, now)}</div>`;
}
