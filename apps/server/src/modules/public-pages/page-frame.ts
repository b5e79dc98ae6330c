import { termAddress, type TermName, terms } from '@portal/contract/terms';
import { brandStyle } from '../../brand.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { dayInWords } from '../../platform/day-words.ts';
import { type PublicPath, publicPaths } from '../../platform/http/public-paths.ts';
import type { PageContext } from '../../platform/module.ts';
import type { Profile } from '../../profile.ts';

/** Facts that the frames of all public pages share. */
export type Frame = {
  /** Each page has its name, links and colours as they are when it is made. */
  profile: Profile;
  appUrl: string;
  styleSheet: string;
  script: string;
};

/** Returns the frame of public pages. @param styleSheet source of a sheet that imports `public-frame.css` */
export const publicFrame = ({ config, profile, asset }: PageContext, styleSheet = 'apps/server/web/public-frame.css'): Frame => ({
  profile,
  appUrl: config.appUrl,
  styleSheet: asset(styleSheet),
  script: asset('apps/server/web/public-frame.ts'),
});

const magnifier = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M7 11.5a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.500 10.500l3 3"/></svg>`;

const mark = html`<svg viewBox="0 0 22 22" aria-hidden="true"><path class="line" d="M1 1h20v20H1zM11 11h10M16 11v10"/><path class="ink" d="M1 1h10v20H1z"/><path class="accent" d="M16.800 11.800h3.400v8.400h-3.400z"/></svg>`;

/** The field that everyone comes for. @param asked what it holds */
export const searchField = (asked = ''): Content => html`<form class="search" action="/whois" role="search">
<label class="away" for="q">Address, prefix, range, AS number, domain, handle or name</label>${magnifier}
<input id="q" name="q" value="${asked}" placeholder="Address, prefix, range, AS number, domain, handle or name" maxlength="255" autocomplete="off" autocapitalize="off" spellcheck="false">
<button class="btn">Look up</button></form>`;

/** The same field at the top of pages that are about something else. */
const topField = html`<form class="find" action="/whois" role="search" aria-label="Whois"><label class="away" for="find">Look up an address, prefix, AS number or name</label>${magnifier}<input id="find" name="q" placeholder="Look up a prefix, AS number or name" maxlength="255" autocomplete="off" autocapitalize="off" spellcheck="false"></form>`;

/** A part of a page with a heading. */
export const sheet = (id: string, title: string, { head, body, foot }: { head?: Content; body: Content; foot?: Content }): Content =>
  html`<section class="sheet" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2>${head}</header>${body}${foot !== undefined && html`<footer>${foot}</footer>`}</section>`;

/**
 * A term of the field, explained where it stands: in a box by the pointer, beside it by the keyboard, and in the article of all terms, to which it leads. Without scripts.
 * @param label how it stands there; its name otherwise
 */
export const term = (name: TermName, label: string = terms[name].name): Content =>
  html`<a class="term" href="${termAddress(name)}" title="${terms[name].words}">${label}</a>`;

/** Marks of states, each with a form and a colour; `plain` has neither. */
export type Mark = 'valid' | 'invalid' | 'warning' | 'plain';

/** Outlines of the marks: a circle, an octagon and a triangle, so that the form alone tells them apart. */
const outlines: Readonly<Record<Exclude<Mark, 'plain'>, string>> = {
  valid: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.5 8.2l1.8 1.8 3.2-3.7',
  invalid: 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM6 6l4 4M10 6l-4 4',
  warning: 'M8 2.5 14.2 13.5H1.8zM8 6.8v3M8 11.7h.01',
};

/** A state in a word, with a mark whose form says the same as its colour. */
export const badge = (mark: Mark, word: string): Content =>
  html`<span class="badge ${mark}">${mark !== 'plain' && html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${outlines[mark]}"/></svg>`}${word}</span>`;

type Page = {
  title: string;
  main: Content;
  /** The page of the navigation that it is, or is below. */
  current?: PublicPath;
  /** Search engines may list it; answers that may name people aren’t listed. */
  listed?: boolean;
  /** A line for prints of an answer: where it is from, and of when. Pages that caches keep say their day themselves. */
  printed?: { address: string; at: Date };
  /** More of its head, such as the address of a feed. */
  head?: Content;
};

/** Renders a whole public page. It has the same markup for everyone: no sign-in, no cookie. */
export const framedPage = (
  { profile, appUrl, styleSheet, script }: Frame,
  { title, main, current, listed = false, printed, head }: Page,
): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${!listed && html`<meta name="robots" content="noindex">`}
<title>${title} · ${profile.registryName}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${styleSheet}">${brandStyle(profile)}${head}<script type="module" src="${script}"></script></head>
<body><a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/whois">${mark}<span>${profile.registryName}</span></a><nav aria-label="Public pages">${Object.entries(
    publicPaths,
  ).map(
    ([path, name]) => html`<a href="${path}"${path === current && html` aria-current="page"`}>${name}</a>`,
  )}</nav>${current !== '/whois' && topField}<a class="btn plain way-back" href="${appUrl}/" data-way-back>Sign in</a></header>
<main id="main">${main}${printed && html`<p class="printed">${profile.registryName}, ${dayInWords(printed.at.toISOString())} ${printed.at.toISOString().slice(11, 16)} UTC, ${printed.address}</p>`}</main>
<footer class="foot"><a href="/help/join">Become a member</a><a href="${profile.whoisTermsUrl}">Terms of use</a><a href="${profile.privacyUrl || '/privacy'}">Privacy</a>${profile.legalUrl && html`<a href="${profile.legalUrl}">Legal notice</a>`}<a href="/legal">Legal texts</a><a href="/accessibility">Accessibility</a><a href="/log">Activity log</a><a href="/.well-known/security.txt">Report a security problem</a><span>Times are in UTC</span></footer></body></html>`
    .markup;
