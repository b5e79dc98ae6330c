import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import { html } from '../../../platform/http/html.ts';
import type { LinkRefusal } from '../logins/login-links.ts';
import { alert, type PageContext, type PageOptions, signInFrame } from '../pages/frame.ts';
import { newPasswordField, wrongField } from '../pages/new-password-field.ts';

export type ResetPages = ReturnType<typeof resetPages>;

/** The pages for a new password: requesting the link, choosing the password, and expired links. */
export function resetPages(options: PageOptions) {
  const { config } = options;
  const page = signInFrame(options);
  const { home } = page;

  return {
    ask: (context: PageContext, { name, wrong, message }: { name: string; wrong: string | null; message: string | null }): string =>
      page(
        context,
        'Choose a new password',
        html`<form method="post" action="/account/reset" novalidate><div><h1>Forgot your password?</h1><p class="lead">We’ll e-mail you a link to choose a new password.</p></div>${alert(message)}
<div class="field"><label for="name">User name or e-mail</label><input class="inp" id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus${wrong && html` aria-invalid="true" aria-describedby="name-wrong"`}>${wrongField('name', wrong)}</div>
<div class="row"><button class="btn">Send the link</button><a class="small" href="${home}">Back to ${page.product}</a></div></form>`,
      ),

    checkMail: (context: PageContext): string =>
      page(
        context,
        'Check your e-mail',
        html`<div><h1>Check your e-mail</h1></div>
<p>If that login exists, we sent a link to its e-mail address. Open it within 30 minutes to choose a new password.</p>
<p class="help">No e-mail? Check your spam folder or <a href="/account/reset">request a new link</a>. If you don’t have a login yet, <a href="/account/register">register</a>.</p>
${config.demoMode && html`<section class="demo"><p><b>Demo registry.</b> Mail is shown at <a href="/dev/mail">/dev/mail</a>.</p></section>`}`,
      ),

    choose: (
      context: PageContext,
      { token, username, wrong, rules }: { token: string; username: string; wrong: string | null; rules: string },
    ): string =>
      page(
        context,
        'Choose a new password',
        html`<form method="post" action="/account/new-password" novalidate><input type="hidden" name="token" value="${token}"><div><h1>Choose a new password</h1><p class="lead">For the login <b class="mono nw">${username}</b></p></div>
<input class="away" name="username" value="${username}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${newPasswordField({ label: 'New password', rules, wrong, first: true })}
<p class="help">All sessions end. Two-factor settings stay the same, and you can’t change registrations for ${coolDownHours} hours.</p>
<div class="row"><button class="btn">Set the password</button></div></form>`,
        { script: 'apps/server/web/sign-in.ts' },
      ),

    changed: (context: PageContext): string =>
      page(
        context,
        'Your password is set',
        html`<div><h1>Your password is set</h1></div><p>All your sessions ended. Log in with the new password and your second factor.</p>
<div class="row"><a class="btn" href="${home}">Log in</a></div>`,
      ),

    linkRefused: (context: PageContext, state: LinkRefusal): string => {
      const [title, words] = {
        expired: ['This link has expired', 'Links work for 30 minutes, or until another one is used. Your password wasn’t changed.'],
        used: [
          'This link was already used',
          'Each link works once. If it wasn’t you who used it, request a new link and choose another password.',
        ],
        unknown: ['Unknown link', 'It may be incomplete. Copy the whole address from the e-mail, or request a new one.'],
      }[state] as [string, string];
      return page(
        context,
        title,
        html`<div><h1>${title}</h1></div><p>${words}</p><div class="row"><a class="btn" href="/account/reset">Request a new link</a><a class="small" href="${home}">Back to ${page.product}</a></div>`,
      );
    },
  };
}
