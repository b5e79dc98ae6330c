import { displayName } from '@portal/contract/display-name';
import { brandStyle, portalNameOf } from '../../../brand.ts';
import { type Content, type Html, html } from '../../../platform/http/html.ts';
import type { Login } from '../logins/logins.ts';
import { alert, mark, type PageContext, type PageOptions, themeOf } from './frame.ts';

/** A list of pages at the side: its label, and each with its address. */
export type SideList = { label: string; places: readonly (readonly [path: string, name: string])[] };

/** The pages of a person's login, in the order of the side list. */
const places = [
  ['/account', 'Overview'],
  ['/account/profile', 'Profile'],
  ['/account/email', 'E-mail'],
  ['/account/password', 'Password'],
  ['/account/factors', 'Second factors'],
  ['/account/sessions', 'Sessions'],
  ['/account/history', 'Sign-in history'],
  ['/account/data', 'Your data'],
  ['/account/erasure', 'Erasure'],
] as const;

export type AccountPage = {
  title: string;
  /** Its entry in the side list. */
  here: string;
  /** The side list, where it is not that of the login. */
  side?: SideList;
  login: Pick<Login, 'nickname' | 'displayName' | 'fullName'>;
  /** Under the title: what this page is for. */
  lead?: Content;
  /** Confirmation of the last action. */
  done?: string | null;
  /** Error, or information needed before continuing. */
  message?: string | null;
  main: Content;
  /** Source of the page's one script; the page works without it. */
  script?: string | null;
};

export type AccountFrame = (context: PageContext, page: AccountPage) => string;

/** The frame of the login's pages: server-rendered HTML in the look of the portal, without scripts of its own. */
export function accountFrame({ config, profile, asset }: PageOptions): AccountFrame {
  const home = `${config.appUrl}/`;
  return (
    { cookie, savesData = false },
    { title, here, side = { label: 'Your login', places }, login, lead, done, message = null, main, script },
  ) => {
    const theme = themeOf(cookie);
    const product = portalNameOf(profile);
    return html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}${savesData && html` data-save`}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} · ${product}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${asset('apps/server/web/account.css')}">${brandStyle(profile)}${script && html`<script type="module" src="${asset(script)}"></script>`}</head>
<body><a class="skip" href="#page">Skip to the page</a>
<header><a class="brand" href="${home}">${mark}${product}</a><p class="who"><span>Hello, ${greetingOf(login)}!</span><a href="${home}">Back to ${product}</a></p></header>
<nav aria-label="${side.label}"><p>${side.label}</p><ul>${side.places.map(
      ([path, name]) => html`<li><a href="${path}"${path === here && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul></nav>
<main id="page" tabindex="-1"><div class="head"><h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
${done && html`<p class="said" role="status">${done}</p>`}${alert(message)}
<div class="sheet">${main}</div></main>
<footer><span>${config.contentSiteUrl ? html`<a href="${config.contentSiteUrl}">${profile.registryName}</a>` : profile.registryName}</span><a href="${config.supportUrl.startsWith('/') ? config.appUrl + config.supportUrl : config.supportUrl}">Support</a></footer></body></html>`
      .markup;
  };
}

/** Returns the name to greet a person by: the display-name rule of the specification, section 3. */
export const greetingOf = ({ nickname, displayName: shown, fullName }: AccountPage['login']): string =>
  displayName({ nickname, display_name: shown, full_name: fullName });

/** A section of a page: its subject on the left, its actions on the right. */
export const section = (title: string, words: Content, body: Content): Html =>
  html`<section><div class="about"><h2>${title}</h2>${words && html`<p>${words}</p>`}</div><div class="body">${body}</div></section>`;

/** Facts by name. */
export const facts = (rows: readonly (readonly [name: string, value: Content] | null)[]): Html =>
  html`<dl class="facts">${rows.map(row => row && html`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>`)}</dl>`;
