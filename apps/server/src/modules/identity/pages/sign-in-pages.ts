import { type Html, html } from '../../../platform/html.ts';
import { alert, hiddenToken, type PageContext, type PageOptions, signInFrame } from './frame.ts';

/** A demo person as the sign-in page offers them. */
export type DemoPerson = { username: string; name: string; role: string; password: string };

export type PasswordPage = {
  uid: string;
  csrf: string;
  username: string;
  password: string;
  message: string | null;
  demoPeople: readonly DemoPerson[];
};
export type CodePage = {
  uid: string;
  csrf: string;
  /** Whose authenticator. */
  email: string;
  message: string | null;
  /** A session of this person is open: only the second factor is asked for. */
  stepUp: boolean;
  code: string;
  secondsLeft: number;
  demo: { name: string; code: string } | null;
};

export type SignInPages = ReturnType<typeof signInPages>;

const steps = (now: 1 | 2): Html =>
  html`<ol class="steps"><li${now === 1 ? html` class="now" aria-current="step"` : html` class="done"`}>Password</li><li${now === 2 ? html` class="now" aria-current="step"` : null}>Second factor</li></ol>`;

/** The pages of the provider: HTML rendered here, usable without a script, in the look of design/mocks/signin.html. */
export function signInPages(options: PageOptions) {
  const { config, profile, asset } = options;
  const page = signInFrame(options);
  const { product, home } = page;
  const script = 'apps/server/web/sign-in.ts';

  return {
    password: (context: PageContext, { uid, csrf, username, password, message, demoPeople }: PasswordPage): string =>
      page(
        context,
        'Log in',
        html`<form method="post" action="/sign-in/${uid}/password">${hiddenToken(csrf)}<h1>Log in</h1>${alert(message)}
<div class="field"><label for="username">User name or e-mail</label><input class="inp" id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required${username === '' && html` autofocus`}${message && html` aria-describedby="alert"`}></div>
<div class="field"><label for="password">Password</label><input class="inp" id="password" name="password" type="password" value="${password}" autocomplete="current-password" maxlength="1000" required${username !== '' && password === '' && html` autofocus`}${message && html` aria-describedby="alert"`}></div>
<div class="row"><button class="btn">Log in</button></div></form>
${
  demoPeople.length > 0 &&
  html`<section class="demo" aria-label="Demo people"><p><b>Demo registry.</b> Choose who you are; the password is filled in.</p><ul>${demoPeople.map(
    person =>
      html`<li><a href="/sign-in/${uid}?person=${encodeURIComponent(person.username)}" data-username="${person.username}" data-password="${person.password}">${person.username}</a> <span>${person.role}</span></li>`,
  )}</ul></section>`
}`,
        { script, foot: html`<a href="/sign-in/${uid}/register">Register</a>` },
      ),

    code: (context: PageContext, { uid, csrf, email, message, stepUp, code, secondsLeft, demo }: CodePage): string =>
      page(
        context,
        'Second factor',
        html`<form method="post" action="/sign-in/${uid}/code">${hiddenToken(csrf)}${!stepUp && steps(2)}<div><h1>Enter your code</h1><p class="lead">${stepUp && 'This needs your second factor. '}Six digits from the authenticator of <b class="nw">${email}</b></p></div>${alert(message)}
<div class="field"><div class="code6"><i></i><i></i><i></i><i></i><i></i><i></i><input id="code" name="code" aria-label="One-time code" value="${code}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="6" required autofocus aria-describedby="left${message && ' alert'}"></div><span class="help" id="left" data-left="${secondsLeft}">A new code in ${secondsLeft} s</span></div>
<div class="row"><button class="btn">Log in</button>${stepUp ? html`<button class="link" formaction="/sign-in/${uid}/cancel" formnovalidate>Cancel</button>` : html`<a class="small" href="/sign-in/${uid}/password">Not you?</a>`}</div></form>
${
  demo &&
  html`<section class="demo" aria-label="Demo code"><p><b>Demo registry.</b> The code for ${demo.name} is <a class="mono" href="/sign-in/${uid}?fill=code" data-code="${demo.code}">${demo.code.slice(0, 3)} ${demo.code.slice(3)}</a>.${!stepUp && html` <a href="/sign-in/${uid}/password">Other people</a>`}</p></section>`
}`,
        { script },
      ),

    /** Somebody without a second factor is asked for one. */
    noSecondFactor: (context: PageContext, { uid, csrf, stepUp }: { uid: string; csrf: string; stepUp: boolean }): string =>
      page(
        context,
        'MFA is not enabled',
        html`<form method="post" action="/sign-in/${uid}/${stepUp ? 'cancel' : 'without-second-factor'}">${hiddenToken(csrf)}<h1>MFA is not enabled!</h1>
<p>${stepUp ? 'What you were about to do needs a second factor, and your login has none.' : `${profile.registryName} asks for a second factor, and your login has none.`} Ask ${profile.registryName} to enrol an authenticator for your login, then log out and log in again. A corporate contact of your account can do this meanwhile.</p>
<div class="row"><button class="btn">${stepUp ? 'Go back' : 'Continue without'}</button></div></form>`,
      ),

    register: (context: PageContext, { uid, csrf, requested }: { uid: string; csrf: string; requested: boolean }): string =>
      page(
        context,
        'Register',
        html`<h1>Register</h1>
<p>People are added to ${product} by the corporate contact of their account. Ask that person to add you as a contact; they find it under Contacts.</p>
<p>If your organisation has no account yet, write to ${profile.registryName}${config.contentSiteUrl && html` (<a href="${config.contentSiteUrl}">${new URL(config.contentSiteUrl).host}</a>)`}.</p>
${
  requested
    ? html`<form method="post" action="/sign-in/${uid}/registered">${hiddenToken(csrf)}<div class="row"><button class="btn">Log in</button><a class="small" href="${home}">Back to ${product}</a></div></form>`
    : html`<div class="row"><a class="btn" href="/sign-in/${uid}">Back to log in</a></div>`
}`,
      ),

    /** A sign-in that cannot go on, with a way out that does not lead back here. */
    problem: (context: PageContext, title: string, words: string): string =>
      page(
        context,
        title,
        html`<h1>${title}</h1><p>${words}</p><div class="row"><a class="btn" href="${home}">Back to ${product}</a></div><p class="help">Trace id <span class="mono">${context.traceId}</span></p>`,
      ),

    providerError: (context: PageContext, code: string, description: string | undefined): string =>
      page(
        context,
        'Log in failed',
        html`<h1>This could not be done</h1>
<p>${code === 'server_error' || code === 'temporarily_unavailable' ? 'An unexpected error has occurred, please try again later.' : `The request was refused: ${description ?? code}.`}</p>
<div class="row"><a class="btn" href="${home}">Back to ${product}</a></div><p class="help">${code} · Trace id <span class="mono">${context.traceId}</span></p>`,
      ),

    /** `certain`: the portal of the person asked, so the form sends itself. */
    signOut: (context: PageContext, { action, xsrf, certain }: { action: string; xsrf: string; certain: boolean }): string =>
      page(
        context,
        'Log out',
        html`<form method="post" action="${action}"${certain && html` data-send`}><input type="hidden" name="xsrf" value="${xsrf}"><h1>Log out</h1>${
          certain
            ? html`<input type="hidden" name="logout" value="yes"><p>One moment.</p>`
            : html`<p>Do you want to log out of ${product}?</p>`
        }<div class="row"><button class="btn"${!certain && html` name="logout" value="yes"`}>Log out</button>${!certain && html`<a class="small" href="${home}">Stay</a>`}</div></form>`,
        { script: certain ? 'apps/server/web/sign-out.ts' : null },
      ),

    signedOut: (context: PageContext): string =>
      page(
        context,
        'Logged out',
        html`<h1>You are logged out</h1><div class="row"><a class="btn" href="${home}">Back to ${product}</a></div>`,
      ),

    checkSession: (cookieName: string): string =>
      html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="cookie" content="${cookieName}"><title>Session</title><script type="module" src="${asset('apps/server/web/check-session.ts')}"></script></html>`
        .markup,
  };
}
