import { html } from '../../../platform/html.ts';
import type { LinkRefusal } from '../logins/login-links.ts';
import { alert, type PageContext, type PageOptions, signInFrame } from './frame.ts';
import { newPasswordField, wrongField } from './new-password-field.ts';

export type ResetPages = ReturnType<typeof resetPages>;

/** The pages of a new password: asking for the link, choosing the password, and links that do nothing any more. */
export function resetPages(options: PageOptions) {
  const { config } = options;
  const page = signInFrame(options);
  const { product, home } = page;

  return {
    ask: (context: PageContext, { name, wrong, message }: { name: string; wrong: string | null; message: string | null }): string =>
      page(
        context,
        'Choose a new password',
        html`<form method="post" action="/account/reset" novalidate><div><h1>Forgot your password?</h1><p class="lead">We send a link to the e-mail address of your login; with it you choose a new password.</p></div>${alert(message)}
<div class="field"><label for="name">User name or e-mail</label><input class="inp" id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus${wrong && html` aria-invalid="true" aria-describedby="name-wrong"`}>${wrongField('name', wrong)}</div>
<div class="row"><button class="btn">Send the link</button><a class="small" href="${home}">Back to ${product}</a></div></form>`,
      ),

    checkMail: (context: PageContext): string =>
      page(
        context,
        'Check your e-mail',
        html`<div><h1>Check your e-mail</h1></div>
<p>If there is a login of that name, we have written to its e-mail address. Open the link in that message within 30 minutes and choose a new password.</p>
<p class="help">Nothing there? Look among the unwanted mail, or <a href="/account/reset">ask for a new link</a>. Whoever has no login yet can <a href="/account/register">register</a>.</p>
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
<p class="help">All sessions end. Second factors stay as they are, and for 24 hours the login cannot change registrations.</p>
<div class="row"><button class="btn">Set the password</button></div></form>`,
        { script: 'apps/server/web/sign-in.ts' },
      ),

    changed: (context: PageContext): string =>
      page(
        context,
        'Your password is set',
        html`<div><h1>Your password is set</h1></div><p>All sessions of your login were ended. Log in with the new password; second factors are asked for as before.</p>
<div class="row"><a class="btn" href="${home}">Log in</a></div>`,
      ),

    linkRefused: (context: PageContext, state: LinkRefusal): string => {
      const [title, words] = {
        expired: ['This link has expired', 'It worked for 30 minutes, or until another one was used. Your password is as it was.'],
        used: [
          'This link was used already',
          'It works once. If it was not you who used it, ask for a new link and choose another password.',
        ],
        unknown: [
          'This is no link of ours',
          'It may have been cut off on its way. Copy the whole address from the message, or ask for a new one.',
        ],
      }[state] as [string, string];
      return page(
        context,
        title,
        html`<div><h1>${title}</h1></div><p>${words}</p><div class="row"><a class="btn" href="/account/reset">Ask for a new link</a><a class="small" href="${home}">Back to ${product}</a></div>`,
      );
    },
  };
}
