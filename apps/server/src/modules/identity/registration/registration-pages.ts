import { type Html, html } from '../../../platform/http/html.ts';
import type { AddressLinkRefusal } from '../logins/login-links.ts';
import { alert, hiddenToken, type PageContext, type PageOptions, signInFrame } from '../pages/frame.ts';
import { registeredHash } from '@portal/contract/shell/own-provider';
import { newPasswordField, wrongField } from '../pages/new-password-field.ts';

/** A running sign-in of this browser, with the token of its forms; null for a registration without one. */
export type RegisteringSignIn = { uid: string; csrf: string } | null;

/** Input that may be shown again. Never the password. */
export type RegistrationFields = { fullName: string; email: string; emailAgain: string };
export type RegistrationWrong = Partial<Record<keyof RegistrationFields | 'password', string | null>>;

export type RegistrationPages = ReturnType<typeof registrationPages>;

/** The pages of registration: the form, the confirmation by mail, and the result. */
export function registrationPages(options: PageOptions) {
  const { config } = options;
  const page = signInFrame(options);
  const { home } = page;
  const script = 'apps/server/web/sign-in.ts';

  const field = (
    name: keyof RegistrationFields,
    {
      label,
      type,
      value,
      wrong,
      autocomplete,
      first,
    }: { label: string; type: string; value: string; wrong: string | null | undefined; autocomplete: string; first: boolean },
  ): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input class="inp" id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${type === 'email' && html` autocapitalize="none" spellcheck="false" inputmode="email"`} maxlength="254" required${first && html` autofocus`}${wrong && html` aria-invalid="true" aria-describedby="${name}-wrong"`}>${wrongField(name, wrong)}</div>`;

  /** The sign-in that this was part of goes on in the browser that registered; elsewhere, and without one, a new one starts with the name filled in. */
  const goOn = (signIn: RegisteringSignIn, username: string): Html =>
    signIn
      ? html`<form method="post" action="/sign-in/${signIn.uid}/registered">${hiddenToken(signIn.csrf)}<input type="hidden" name="username" value="${username}"><div class="row"><button class="btn" autofocus>Continue to ${page.product}</button></div></form>`
      : html`<div class="row"><a class="btn" href="${home}${registeredHash(username)}" autofocus>Log in</a></div>`;

  return {
    form: (
      context: PageContext,
      {
        signIn,
        fields,
        wrong,
        message,
        rules,
      }: { signIn: RegisteringSignIn; fields: RegistrationFields; wrong: RegistrationWrong; message: string | null; rules: string },
    ): string => {
      const firstWrong = (['fullName', 'email', 'emailAgain', 'password'] as const).find(name => wrong[name]);
      const first = firstWrong ?? 'fullName';
      return page(
        context,
        'Register',
        html`<form method="post" action="${signIn ? `/sign-in/${signIn.uid}/register` : '/account/register'}" novalidate>${signIn && hiddenToken(signIn.csrf)}<div><h1>Register</h1><p class="lead">Create a login for ${page.product}. If your organisation is already a member, its corporate contact can then link you to the account.</p></div>${alert(message)}
${field('fullName', { label: 'Full name', type: 'text', value: fields.fullName, wrong: wrong.fullName, autocomplete: 'name', first: first === 'fullName' })}
${field('email', { label: 'E-mail', type: 'email', value: fields.email, wrong: wrong.email, autocomplete: 'email', first: first === 'email' })}
${field('emailAgain', { label: 'E-mail again', type: 'email', value: fields.emailAgain, wrong: wrong.emailAgain, autocomplete: 'email', first: first === 'emailAgain' })}
${newPasswordField({ label: 'Password', rules, wrong: wrong.password ?? null, first: first === 'password' })}
<div class="row"><button class="btn">Register</button></div></form>
${signIn ? html`<form method="post" action="/sign-in/${signIn.uid}/registered">${hiddenToken(signIn.csrf)}<p class="help">You have a login? <button class="link">Log in</button></p></form>` : html`<p class="help">You have a login? <a href="${home}">Log in</a></p>`}`,
        { script },
      );
    },

    checkMail: (context: PageContext, email: string): string =>
      page(
        context,
        'Check your e-mail',
        html`<div><h1>Check your e-mail</h1></div>
<p>We sent an e-mail to <b class="nw">${email}</b>. Open its link within 30 minutes to create your login.</p>
<p class="help">No e-mail? Check your spam folder and that the address is correct, or <a href="/account/register">register again</a>.</p>
${config.demoMode && html`<section class="demo"><p><b>Demo registry.</b> Mail is shown at <a href="/dev/mail">/dev/mail</a>.</p></section>`}`,
      ),

    confirm: (context: PageContext, { token, fullName, email }: { token: string; fullName: string; email: string }): string =>
      page(
        context,
        'Confirm your registration',
        html`<form method="post" action="/account/confirm-registration"><input type="hidden" name="token" value="${token}"><div><h1>Confirm your registration</h1></div>
<p>This creates a login at ${page.product} for <b class="nw">${fullName}</b>, <b class="nw">${email}</b>, with the password you chose.</p>
<p class="help">If you didn’t register, close this page. No login is created.</p>
<div class="row"><button class="btn">Confirm</button></div></form>`,
      ),

    registered: (context: PageContext, { signIn, username }: { signIn: RegisteringSignIn; username: string }): string =>
      page(
        context,
        'You have a login',
        html`<div><h1>You have a login</h1><p class="lead">User name <b class="mono nw">${username}</b></p></div>
<p>Log in with it or with your e-mail address. ${signIn && 'In the browser where you registered, you’re logged in now; in another one, enter the password you chose.'}</p>
<p class="help">Next, accept an invitation, ask to be linked to your organisation’s account, or apply for membership of ${page.registryName}.</p>
${goOn(signIn, username)}`,
      ),

    linkRefused: (context: PageContext, state: AddressLinkRefusal): string => {
      const words = {
        expired: ['This link has expired', 'Links work for 30 minutes. No login was created.'],
        used: ['This link was already used', 'Each link works once. If it was you, you can log in.'],
        unknown: ['Unknown link', 'It may be incomplete. Copy the whole address from the e-mail, or register again.'],
        taken: ['This address already has a login', 'Log in, or choose a new password if you forgot it.'],
      }[state];
      const hasLogin = state === 'taken' || state === 'used';
      return page(
        context,
        words[0]!,
        html`<div><h1>${words[0]}</h1></div><p>${words[1]}</p>
<div class="row">${hasLogin ? html`<a class="btn" href="${home}">Log in</a><a class="small" href="/account/reset">Forgot your password?</a>` : html`<a class="btn" href="/account/register">Register again</a>`}</div>`,
      );
    },
  };
}
