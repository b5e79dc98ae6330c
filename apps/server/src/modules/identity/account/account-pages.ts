import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import { type Content, type Html, html } from '../../../platform/http/html.ts';
import type { AddressLinkRefusal } from '../logins/login-links.ts';
import { LONGEST_NAME, type LoginNames } from '../logins/login-names.ts';
import type { Login } from '../logins/logins.ts';
import type { PasswordRefusal } from '../passwords/password-change.ts';
import type { LoginProgram } from '../sessions/login-programs.ts';
import type { SessionRow } from '../sessions/sessions.ts';
import { deviceOf } from '../logins/devices.ts';
import type { HistoryLine } from '../sign-in/sign-in-history.ts';
import { type AccountPage, facts, greetingOf, section } from '../pages/account-frame.ts';
import { authenticationWords } from './authentication-words.ts';
import { type Frame, hiddenToken, type PageContext } from '../pages/frame.ts';
import type { LocalTimes } from '../pages/local-times.ts';
import { newPasswordField, wrongField } from '../pages/new-password-field.ts';

/** The part of a login page that its frame encloses. */
export type Part = Pick<AccountPage, 'here' | 'title' | 'lead' | 'main' | 'script'>;

/** Holder and economy of an address, as far as the registry knows. */
export type Place = { economy: string | null; holder: string };
export type PlaceOf = (address: string) => Promise<Place | null>;

type Field = {
  name: string;
  label: string;
  value?: string;
  type?: 'text' | 'email' | 'password';
  autocomplete?: string;
  help?: Content;
  wrong?: string | null | undefined;
  optional?: boolean;
  readOnly?: boolean;
  most?: number;
};

/** A field with its label, help and what is wrong with it. */
function field({ name, label, value = '', type = 'text', autocomplete = 'off', help, wrong, optional, readOnly, most = 254 }: Field): Html {
  const about = [help && `${name}-help`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${label}${optional && html` <span class="quiet">(optional)</span>`}</label>
<input class="inp" id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" maxlength="${most}"${type !== 'text' && html` spellcheck="false"`}${readOnly && html` readonly`}${!optional && !readOnly && html` required`}${about && html` aria-describedby="${about}"`}${wrong && html` aria-invalid="true"`}>
${wrongField(name, wrong)}${help && html`<span class="help" id="${name}-help">${help}</span>`}</div>`;
}

const button = (label: string, kind: '' | 'second' | 'danger' = ''): Html =>
  html`<div class="row"><button class="btn ${kind}">${label}</button></div>`;
const form = (action: string, { csrf }: { csrf: string }, content: Content): Html =>
  html`<form method="post" action="${action}">${hiddenToken(csrf)}${content}</form>`;

const placeWords = (place: Place | null): Content => place && html`<small>${place.holder}${place.economy && `, ${place.economy}`}</small>`;
const timesLead = ({ timeZone }: LocalTimes): Html =>
  html`Times are in ${timeZone.replaceAll('_', ' ')}. Change the time zone in <a href="/settings">Personal settings</a>.`;

export type Overview = {
  login: Login;
  times: LocalTimes;
  passwordSetAt: string | null;
  passkeys: readonly { name: string }[];
  authenticators: readonly { name: string; disabledAt: string | null }[];
  recoveryCodesLeft: number;
  coolDown: { until: string; why: string } | null;
  /** The sign-in before the present one. */
  lastSignIn: HistoryLine | null;
  openSessions: number;
};

/** Returns a sentence about how well the login is protected, and how to improve it. */
function protection({ passwordSetAt, passkeys, authenticators }: Overview): Html {
  const apps = authenticators.filter(({ disabledAt }) => disabledAt === null);
  if (passkeys.length > 0 && passwordSetAt === null)
    return html`<p class="good">You log in with a passkey and no password, which can’t be guessed or phished.</p>`;
  if (passkeys.length > 0) return html`<p class="good">You have a passkey, which can’t be guessed or phished.</p>`;
  if (apps.length > 0)
    return html`<p class="good">Two-factor authentication is on.</p><p class="quiet">A passkey is quicker and can’t be phished. <a href="/account/factors">Add a passkey</a></p>`;
  return html`<p class="warn">Your login is protected by a password only. <a href="/account/factors">Turn on two-factor</a></p>`;
}

export function overviewPart(overview: Overview): Part {
  const { login, times, passwordSetAt, passkeys, authenticators, recoveryCodesLeft, coolDown, lastSignIn, openSessions } = overview;
  const factors = [
    ...passkeys.map(({ name }) => `${name} (passkey)`),
    ...authenticators.map(({ name, disabledAt }) => {
      const facts = [...(name === 'Authenticator app' ? [] : ['authenticator app']), ...(disabledAt === null ? [] : ['switched off'])];
      return facts.length > 0 ? `${name} (${facts.join(', ')})` : name;
    }),
  ];
  return {
    here: '/account',
    title: 'Your login',
    lead: 'Your profile and sign-in security.',
    main: html`${
      coolDown &&
      section(
        'Waiting',
        null,
        html`<p class="warn">${coolDown.why}. Until ${times.at(coolDown.until)} you can’t change anything: resources, whois, routes, transfers, contacts or votes. You can still view everything. If it wasn’t you, <a href="/account/password">change your password</a>.</p>`,
      )
    }${section(
      'Profile',
      html`<a href="/account/profile">Change names</a>`,
      facts([
        ['Name', login.fullName],
        ['User name', html`<span class="mono">${login.username}</span>`],
        [
          'E-mail',
          html`${login.email}${!login.emailVerified && html` <span class="quiet">not confirmed</span>`} · <a href="/account/email">change</a>`,
        ],
        login.staff ? ['Role', 'Registry staff'] : null,
      ]),
    )}${section(
      'Protection',
      html`<a href="/account/factors">Second factors</a>`,
      html`${protection(overview)}${facts([
        [
          'Password',
          html`${passwordSetAt === null ? 'none' : html`set ${times.at(passwordSetAt, 'date')}`} · <a href="/account/password">${passwordSetAt === null ? 'set one' : 'change'}</a>`,
        ],
        ['Second factors', factors.length === 0 ? 'none' : factors.join(', ')],
        factors.length === 0
          ? null
          : [
              'Recovery codes',
              recoveryCodesLeft === 0 ? html`none left · <a href="/account/factors">create new ones</a>` : `${recoveryCodesLeft} left`,
            ],
      ])}`,
    )}${section(
      'Use',
      html`<a href="/account/history">Sign-in history</a>`,
      facts([
        [
          'Previous sign-in',
          lastSignIn === null
            ? 'none'
            : html`${times.at(lastSignIn.at)}, ${deviceOf(lastSignIn.userAgent)}${lastSignIn.address && html`, <span class="mono">${lastSignIn.address}</span>`}`,
        ],
        [
          'Open sessions',
          html`${openSessions === 1 ? 'this one' : `${openSessions}, this one included`} · <a href="/account/sessions">see all</a>`,
        ],
      ]),
    )}`,
  };
}

export type ProfilePage = { login: Login; csrf: string; names: LoginNames; wrong: Partial<Record<keyof LoginNames, string>> };

export function profilePart(page: ProfilePage): Part {
  const { login, names, wrong } = page;
  return {
    here: '/account/profile',
    title: 'Profile',
    lead: 'Corporate contacts of your accounts and registry staff see these names.',
    main: section(
      'Names',
      'We greet you by your nickname, display name or full name, whichever is set first.',
      form(
        '/account/profile',
        page,
        html`${field({ name: 'fullName', label: 'Full name', value: names.fullName, autocomplete: 'name', most: LONGEST_NAME, wrong: wrong.fullName })} ${field({ name: 'displayName', label: 'Display name', value: names.displayName, optional: true, most: LONGEST_NAME, wrong: wrong.displayName })} ${field({ name: 'nickname', label: 'Nickname', value: names.nickname, autocomplete: 'nickname', optional: true, most: LONGEST_NAME, wrong: wrong.nickname })} ${field({ name: 'username', label: 'User name', value: login.username, autocomplete: 'username', readOnly: true, help: 'Can’t be changed.' })} <p class="quiet">We greet you as ${greetingOf(names) || 'not set'}.</p>${button('Save names')}`,
      ),
    ),
  };
}

export type EmailPage = {
  login: Login;
  csrf: string;
  fresh: boolean;
  times: LocalTimes;
  /** The address that waits for its link to be opened. */
  pending: { email: string; until: string } | null;
  /** Former addresses that can take a change back. */
  former: readonly { email: string; until: string }[];
  typed: { email: string; again: string };
  wrong: { email?: string | null; again?: string | null };
};

export const logInFirst = (path: string, label: string): Html =>
  html`<p>You logged in some time ago. Log in again to make changes here for five minutes.</p><div class="row"><a class="btn" href="${path}?change=1">${label}</a></div>`;

export function emailPart(page: EmailPage): Part {
  const { login, fresh, times, pending, former, typed, wrong } = page;
  return {
    here: '/account/email',
    title: 'E-mail',
    lead: 'You log in with it and get e-mails about your login there.',
    main: html`${section(
      'Address',
      null,
      facts([
        ['Now', html`${login.email}${!login.emailVerified && html` <span class="quiet">not confirmed</span>`}`],
        pending && ['Asked for', html`${pending.email}, until its link is opened; it works until ${times.at(pending.until)}`],
        ...former.map(({ email, until }) => ['Before', html`${email}, which can take the change back until ${times.at(until)}`] as const),
      ]),
    )}${section(
      'Change',
      'We send a link to the new address. Your current address gets an e-mail immediately and can undo the change for 24 hours.',
      fresh
        ? form(
            '/account/email',
            page,
            html`${field({ name: 'email', label: 'New email address', type: 'email', value: typed.email, autocomplete: 'email', wrong: wrong.email })}
${field({ name: 'again', label: 'Confirm email address', type: 'email', value: typed.again, wrong: wrong.again })}
<p class="quiet">When it changes, your other sessions end and this login can’t make changes for ${coolDownHours} hours.</p>${button('Send the link')}`,
          )
        : logInFirst('/account/email', 'Log in again to change it'),
    )}`,
  };
}

export type PasswordPage = {
  login: Login;
  csrf: string;
  fresh: boolean;
  times: LocalTimes;
  setAt: string | null;
  rules: string;
  wrong: PasswordRefusal | null;
  /** Two passkeys, or one and recovery codes. */
  canDrop: boolean;
};

export function passwordPart(page: PasswordPage): Part {
  const { login, fresh, times, setAt, rules, wrong, canDrop } = page;
  const wrongOf = (name: PasswordRefusal['field']): string | null => (wrong?.field === name ? wrong.words : null);
  return {
    here: '/account/password',
    // Shows the typed text.
    script: 'apps/server/web/sign-in.ts',
    title: 'Password',
    lead: setAt === null ? 'Your login has no password. You log in with a passkey.' : html`Set ${times.at(setAt)}.`,
    main: html`${section(
      setAt === null ? 'Set a password' : 'Change',
      'Your other sessions end.',
      fresh
        ? form(
            '/account/password',
            page,
            html`<input type="hidden" name="username" autocomplete="username" value="${login.username}">
${setAt !== null && field({ name: 'current', label: 'Current password', type: 'password', most: 1000, autocomplete: 'current-password', wrong: wrongOf('current') })}
${newPasswordField({ label: 'New password', rules, wrong: wrongOf('password'), first: false })}
${button(setAt === null ? 'Set password' : 'Change password')}`,
          )
        : logInFirst('/account/password', setAt === null ? 'Log in again to set one' : 'Log in again to change it'),
    )}${
      setAt !== null &&
      section(
        'Remove the password',
        'A passkey counts as two factors. Without a password, there is none to steal.',
        canDrop
          ? fresh
            ? form(
                '/account/password/remove',
                page,
                html`<p>You then log in with a passkey only. Your other sessions end.</p>${button('Remove password', 'danger')}`,
              )
            : logInFirst('/account/password', 'Log in again to remove it')
          : html`<p>This needs two passkeys, or one passkey and recovery codes, so that losing a device doesn’t lock you out. <a href="/account/factors">Add a passkey</a></p>`,
      )
    }`,
  };
}

type Where = { device: string; address: string | null; place: Place | null };
const where = ({ address, place }: Where): Html =>
  html`${address ? html`<span class="mono">${address}</span>` : 'unknown'}${placeWords(place)}`;

export type SessionsPage = {
  login: Login;
  csrf: string;
  sid: string;
  times: LocalTimes;
  open: readonly (SessionRow & { place: Place | null })[];
  ended: readonly (SessionRow & { place: Place | null })[];
  programs: readonly (LoginProgram & { place: Place | null })[];
};

export function sessionsPart(page: SessionsPage): Part {
  const { sid, times, open, ended, programs } = page;
  const asWhere = (session: SessionRow & { place: Place | null }): Where => ({ ...session, device: deviceOf(session.userAgent) });
  const others = open.length > 1;
  return {
    here: '/account/sessions',
    title: 'Sessions',
    lead: html`Browsers where you’re logged in, and programs that act in your name. ${timesLead(times)}`,
    main: html`<section class="wide"><div class="about"><h2>Open</h2></div><div class="body"><div class="table"><table class="cards"><caption class="hidden">Open sessions</caption>
<thead><tr><th scope="col">Device</th><th scope="col">Where</th><th scope="col">Logged in</th><th scope="col">Last used</th><th scope="col">With</th><th scope="col"><span class="hidden">End it</span></th></tr></thead><tbody>${open.map(
      session =>
        html`<tr><th scope="row">${deviceOf(session.userAgent)}${session.sid === sid && html`<small>This session</small>`}</th><td data-name="Where">${where(asWhere(session))}</td><td data-name="Logged in">${times.at(session.startedAt)}</td><td data-name="Last used">${times.at(session.usedAt)}</td><td data-name="With">${authenticationWords(session.amr)}</td><td>${
          session.sid !== sid &&
          form(
            '/account/sessions/end',
            page,
            html`<input type="hidden" name="sid" value="${session.sid}"><button class="link" aria-label="End ${deviceOf(session.userAgent)}, logged in ${times.words(session.startedAt)}">End</button>`,
          )
        }</td></tr>`,
    )}</tbody></table></div>${others ? form('/account/sessions/end-others', page, button('End all others', 'danger')) : html`<p class="quiet">You aren’t logged in anywhere else.</p>`}</div></section>
<section class="wide"><div class="about"><h2>Programs and other systems</h2></div><div class="body">${
      programs.length === 0
        ? html`<p class="quiet">No program acts in your name. API keys and webhooks you create, and other systems you log in to, are listed here.</p>`
        : html`<div class="table"><table class="cards"><caption class="hidden">Programs</caption><thead><tr><th scope="col">Program</th><th scope="col">Account</th><th scope="col">Last used</th><th scope="col">Where</th><th scope="col">Expires</th><th scope="col"><span class="hidden">End it</span></th></tr></thead><tbody>${programs.map(
            ({ programId, label, knownAs, accountName, lastUse, expiresAt, place }) =>
              html`<tr><th scope="row">${label}<small>${knownAs}</small></th><td data-name="Account">${accountName}</td><td data-name="Last used">${lastUse === null ? html`<span class="quiet">never</span>` : times.at(lastUse.at)}</td><td data-name="Where">${lastUse?.address && html`<span class="mono">${lastUse.address}</span>`}${placeWords(place)}</td><td data-name="Expires">${expiresAt === null ? html`<span class="quiet">never</span>` : times.at(expiresAt)}</td><td>${form(
                '/account/sessions/end-program',
                page,
                html`<input type="hidden" name="program" value="${programId}"><button class="link" aria-label="End ${label}${accountName !== '' && ` of ${accountName}`}">End</button>`,
              )}</td></tr>`,
          )}</tbody></table></div><p class="quiet">Programs that lose their key are refused immediately. A webhook that you end is removed. Another system that you end has to ask you to log in again.</p>`
    }</div></section>
<section class="wide"><div class="about"><h2>Ended in the last 30 days</h2></div><div class="body">${
      ended.length === 0
        ? html`<p class="quiet">None.</p>`
        : html`<div class="table"><table class="cards"><caption class="hidden">Ended sessions</caption><thead><tr><th scope="col">Device</th><th scope="col">Where</th><th scope="col">Logged in</th><th scope="col">Ended</th><th scope="col">Why</th></tr></thead><tbody>${ended.map(
            session =>
              html`<tr><th scope="row">${deviceOf(session.userAgent)}</th><td data-name="Where">${where(asWhere(session))}</td><td data-name="Logged in">${times.at(session.startedAt)}</td><td data-name="Ended">${times.at(session.endedAt!)}</td><td data-name="Why">${session.endedWhy}</td></tr>`,
          )}</tbody></table></div>`
    }</div></section>`,
  };
}

export type HistoryPage = {
  times: LocalTimes;
  lines: readonly (HistoryLine & { place: Place | null })[];
  /** Not the newest page. */
  newer: boolean;
  /** The line after which the next page continues. */
  olderThan: number | null;
};

export function historyPart({ times, lines, newer, olderThan }: HistoryPage): Part {
  return {
    here: '/account/history',
    title: 'Sign-in history',
    lead: html`Activity of your login, including failed attempts. If something wasn’t you, <a href="/account/sessions">end all other sessions</a> and <a href="/account/password">change your password</a>. ${timesLead(times)}`,
    main: html`<section class="wide"><div class="body">${
      lines.length === 0
        ? html`<p class="quiet">No activity yet.</p>`
        : html`<div class="table"><table class="cards"><caption class="hidden">Sign-in history, newest first</caption><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Where</th><th scope="col">Device</th><th scope="col">With</th></tr></thead><tbody>${lines.map(
            ({ at, what, address, place, userAgent, amr }) =>
              html`<tr><th scope="row">${times.at(at)}</th><td>${what}</td><td data-name="Where">${where({ device: '', address, place })}</td><td data-name="Device">${deviceOf(userAgent)}</td><td data-name="With">${amr ? authenticationWords(amr) : '–'}</td></tr>`,
          )}</tbody></table></div>`
    }<div class="row">${olderThan !== null && html`<a class="btn second" href="/account/history?before=${olderThan}">Older</a>`}${newer && html`<a class="btn second" href="/account/history">Newest</a>`}<a href="/account/history.csv">Download all as CSV</a></div></div></section>`,
  };
}

const refusals: Record<AddressLinkRefusal, readonly [title: string, words: string]> = {
  expired: ['This link has expired', 'No changes were made. Request a new one on your login’s e-mail page.'],
  used: ['This link was already used', 'The change was already made. Each link works once.'],
  unknown: ['Unknown link', 'It may be incomplete or replaced by a newer one. No changes were made.'],
  taken: ['This address belongs to another login', 'Someone else confirmed it in the meantime. No changes were made.'],
};

/** The pages behind links in mails about an address. They need no session, and show only what the reader of the mail knows. */
export function emailLinkPages(page: Frame) {
  const on = (href: string, label: string): Html => html`<div class="row"><a class="btn" href="${href}">${label}</a></div>`;
  return {
    confirm: (context: PageContext, { csrf, token, email, login }: { csrf: string; token: string; email: string; login: Login }): string =>
      page(
        context,
        'Confirm your e-mail address',
        html`<form method="post" action="/account/email/confirm">${hiddenToken(csrf)}<input type="hidden" name="token" value="${token}"><h1>Confirm your e-mail address</h1>
<p><b class="nw">${email}</b> becomes the address of the login <b>${login.username}</b>.</p><p class="help">Other sessions of the login end, and it can’t make changes for ${coolDownHours} hours.</p><div class="row"><button class="btn">Confirm address</button></div></form>`,
      ),
    undo: (context: PageContext, { csrf, token, email, login }: { csrf: string; token: string; email: string; login: Login }): string =>
      page(
        context,
        'Undo the change',
        html`<form method="post" action="/account/email/undo">${hiddenToken(csrf)}<input type="hidden" name="token" value="${token}"><h1>Undo the change</h1>
<p>The login <b>${login.username}</b> gets its previous address <b class="nw">${email}</b>, and all its sessions end.</p><div class="row"><button class="btn">Undo</button></div></form>`,
      ),
    confirmed: (context: PageContext, email: string): string =>
      page(
        context,
        'Address changed',
        html`<h1>Address changed</h1><p><b class="nw">${email}</b> is confirmed. Both addresses got an e-mail.</p>${on('/account/email', 'Your login')}`,
      ),
    undone: (context: PageContext, email: string): string =>
      page(
        context,
        'Address changed back',
        html`<h1>Address changed back</h1><p>The login has <b class="nw">${email}</b> again, and all sessions ended. If someone else changed it, choose a new password with “Forgot password” on the log in page.</p>${on('/account/password', 'Log in')}`,
      ),
    refused: (context: PageContext, why: AddressLinkRefusal): string => {
      const [title, words] = refusals[why];
      return page(context, title, html`<h1>${title}</h1><p>${words}</p>${on('/account/email', 'Your login')}`);
    },
  };
}
