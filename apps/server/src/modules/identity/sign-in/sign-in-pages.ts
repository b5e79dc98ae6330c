import { type Html, html } from '../../../platform/http/html.ts';
import type { DemoPerson } from '../factors/demo-people.ts';
import { passkeyForm } from '../factors/factor-pages.ts';
import { alert, hiddenToken, type PageContext, type PageOptions, signInFrame } from '../pages/frame.ts';
import { problemPages } from '../pages/problem-pages.ts';
import { secondFactorEnrolmentPages } from './second-factor-enrolment-pages.ts';
import { secondFactorPages } from './second-factor-pages.ts';

export type PasswordPage = {
  uid: string;
  csrf: string;
  username: string;
  password: string;
  message: string | null;
  /** The reason of the sign-in if not the usual: adding a second factor, another system of the registry, or a page that says it itself. */
  reason: 'enrolment' | { client: string } | { lead: string } | null;
  demoPeople: readonly DemoPerson[];
  /** The form is shown before its sign-in has begun. */
  begins?: boolean;
};

export type SignInPages = ReturnType<typeof signInPages>;

const reasonWords = (reason: PasswordPage['reason']): Html | null => {
  if (reason === null) return null;
  const words =
    reason === 'enrolment'
      ? 'Enter your password again to add a second factor.'
      : 'lead' in reason
        ? reason.lead
        : `To continue to ${reason.client}.`;
  return html`<p class="lead">${words}</p>`;
};

/** Demo people that most visitors want to be: a contact of each kind, of a national registry, and registry staff. The others are folded. */
const firstDemoPeople = ['corin', 'tess', 'bill', 'nils', 'stella'];

const demoSection = (uid: string, people: readonly DemoPerson[]): Html | false => {
  const line = ({ username, password, role }: DemoPerson) =>
    html`<li><a href="/sign-in/${uid}/password?person=${encodeURIComponent(username)}" data-username="${username}" data-password="${password}">${username}</a> <span>${role}</span></li>`;
  const first = firstDemoPeople.flatMap(name => people.filter(({ username }) => username === name));
  const others = people.filter(person => !first.includes(person));
  return (
    people.length > 0 &&
    html`<section class="demo" aria-label="Demo people"><p><b>Demo registry.</b> Choose who you are; the password is filled in.</p><ul>${first.map(line)}</ul>${
      others.length > 0 && html`<details><summary>Other people</summary><ul>${others.map(line)}</ul></details>`
    }</section>`
  );
};

/** The pages of the provider: HTML rendered here, usable without a script, in the look of the portal. */
export function signInPages(options: PageOptions) {
  const { asset } = options;
  const page = signInFrame(options);
  const { home } = page;
  const script = 'apps/server/web/sign-in.ts';

  return {
    ...secondFactorPages(page),
    ...secondFactorEnrolmentPages(page),
    ...problemPages(page),

    password: (
      context: PageContext,
      { uid, csrf, username, password, message, reason, demoPeople, begins = false }: PasswordPage,
    ): string => {
      const wrong = message !== null && html` aria-invalid="true" aria-describedby="alert"`;
      return page(
        context,
        'Log in',
        html`<form method="post" action="/sign-in/${uid}/password">${hiddenToken(csrf)}<div><h1>Log in</h1>${reasonWords(reason)}</div>${alert(message)}
<div class="field"><label for="username">User name or e-mail</label><input class="inp" id="username" name="username" value="${username}" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" maxlength="254" required${username === '' && html` autofocus`}${wrong}></div>
<div class="field"><label for="password">Password</label><span class="secret"><input class="inp" id="password" name="password" type="password" value="${password}" autocomplete="current-password" maxlength="1000" required${username !== '' && password === '' && html` autofocus`}${wrong}><button class="show" type="button" aria-controls="password" aria-pressed="false" data-show hidden>Show<span class="away"> the characters</span></button></span></div>
<div class="row"><button class="btn"${password !== '' && html` autofocus`}>Log in</button><a class="small" href="/account/reset">Forgot your password?</a></div></form>
<div class="alone" data-alone hidden>${passkeyForm({
          ceremony: 'get',
          action: `/sign-in/${uid}/passkey-alone`,
          options: `/sign-in/${uid}/passkey-alone/options`,
          csrf,
          button: 'Log in with a passkey',
          secondary: true,
        })}</div>
${demoSection(uid, demoPeople)}`,
        { script, footer: html`<a href="/sign-in/${uid}/register">Register</a>`, begins },
      );
    },

    /** `certain`: the person's own portal asked, so the form submits automatically. */
    signOut: (context: PageContext, { action, xsrf, certain }: { action: string; xsrf: string; certain: boolean }): string =>
      page(
        context,
        'Log out',
        html`<form method="post" action="${action}"${certain && html` data-send`}><input type="hidden" name="xsrf" value="${xsrf}"><h1>Log out</h1>${
          certain
            ? html`<input type="hidden" name="logout" value="yes"><p>One moment.</p>`
            : html`<p>Do you want to log out of ${page.product}?</p>`
        }<div class="row"><button class="btn"${!certain && html` name="logout" value="yes"`}>Log out</button>${!certain && html`<a class="small" href="${home}">Stay</a>`}</div></form>`,
        { script: certain ? 'apps/server/web/sign-out.ts' : null },
      ),

    signedOut: (context: PageContext): string =>
      page(
        context,
        'Logged out',
        html`<h1>You’re logged out</h1><div class="row"><a class="btn" href="${home}">Back to ${page.product}</a></div>`,
      ),

    checkSession: (cookieName: string): string =>
      html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="cookie" content="${cookieName}"><title>Session</title><script type="module" src="${asset('apps/server/web/check-session.ts')}"></script></html>`
        .markup,
  };
}
