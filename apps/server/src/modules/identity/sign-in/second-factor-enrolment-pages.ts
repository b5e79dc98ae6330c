import { type Html, html } from '../../../platform/http/html.ts';
import type { AuthenticatorEnrolment } from '../factors/authenticator-enrolment.ts';
import { authenticatorFields, passkeyForm, recoveryCodesForm, recoveryCodesLead } from '../factors/factor-pages.ts';
import { alert, type Frame, hiddenToken, type PageContext } from '../pages/frame.ts';
import type { SignInForm } from './second-factor-pages.ts';

/** Why a second factor is added during sign-in. */
export type EnrolmentReason = 'has to' | 'wanted to' | 'used a recovery code';

const cancelEnrolment = (uid: string): Html =>
  html`<button class="link" formaction="/sign-in/${uid}/cancel" formnovalidate>Cancel</button>`;

/** The pages of a sign-in that add a second factor. */
export function secondFactorEnrolmentPages(page: Frame) {
  const script = 'apps/server/web/sign-in.ts';
  return {
    enrolment: (context: PageContext, { uid, csrf, why }: SignInForm & { why: EnrolmentReason }): string => {
      const reasons: Record<EnrolmentReason, readonly [string, string]> = {
        'has to': ['Set up a second factor', `${page.registryName} requires two-factor, because a password alone can be stolen.`],
        'wanted to': ['Set up a second factor', 'From now on you’ll need it to log in.'],
        'used a recovery code': [
          'Add a new second factor',
          'Your recovery code worked. Your old authenticator apps stop working once you add the new factor.',
        ],
      };
      const [title, words] = reasons[why];
      return page(
        context,
        title,
        html`<form method="post" action="/sign-in/${uid}/cancel">${hiddenToken(csrf)}<div><h1>${title}</h1><p class="lead">${words}</p></div>
<ul class="choices"><li><a class="btn" href="/sign-in/${uid}/enrol/passkey">Passkey</a><span>Fingerprint, face or PIN of this device, or a security key. It can’t be phished.</span></li>
<li><a class="btn second" href="/sign-in/${uid}/enrol/authenticator">Authenticator app</a><span>An app on your phone that shows a new code every 30 seconds.</span></li></ul>
<div class="row"><button class="link">Cancel</button></div></form>`,
      );
    },

    newAuthenticator: (
      context: PageContext,
      { uid, csrf, enrolment, message }: SignInForm & { enrolment: AuthenticatorEnrolment; message: string | null },
    ): string =>
      page(
        context,
        'Add an authenticator app',
        html`<form method="post" action="/sign-in/${uid}/enrol/authenticator">${hiddenToken(csrf)}<h1>Add an authenticator app</h1>${alert(message)}
${authenticatorFields(enrolment)}
<div class="row"><button class="btn">Add and log in</button>${cancelEnrolment(uid)}</div></form><ul class="ways"><li><a href="/sign-in/${uid}/enrol/passkey">Add a passkey instead</a></li></ul>`,
        { script },
      ),

    newPasskey: (context: PageContext, { uid, csrf, message }: SignInForm & { message: string | null }): string =>
      page(
        context,
        'Add a passkey',
        html`<div><h1>Add a passkey</h1><p class="lead">Your browser asks where to save it. A security key also works.</p></div>${alert(message)}
${passkeyForm({
  ceremony: 'create',
  action: `/sign-in/${uid}/enrol/passkey`,
  options: `/sign-in/${uid}/enrol/passkey/options`,
  csrf,
  button: 'Add passkey and log in',
  beside: cancelEnrolment(uid),
})}<ul class="ways"><li><a href="/sign-in/${uid}/enrol/authenticator">Add an authenticator app instead</a></li></ul>`,
        { script },
      ),

    recoveryCodes: (
      context: PageContext,
      { uid, csrf, codes, message }: SignInForm & { codes: readonly string[]; message: string | null },
    ): string =>
      page(
        context,
        'Recovery codes',
        html`<div><h1>Save your recovery codes</h1><p class="lead">${recoveryCodesLead}</p></div>
${recoveryCodesForm({
  codes,
  csrf,
  message,
  action: `/sign-in/${uid}/recovery-codes`,
  download: `/sign-in/${uid}/recovery-codes/download`,
})}`,
        { script: 'apps/server/web/factors.ts' },
      ),

    /** The person left the page of the recovery codes and came back: they were shown once. */
    codesShown: (context: PageContext, { uid, csrf }: SignInForm): string =>
      page(
        context,
        'Recovery codes',
        html`<form method="post" action="/sign-in/${uid}/go-on">${hiddenToken(csrf)}<h1>Two-factor is set up</h1>
<p>Your recovery codes were shown once. If you didn’t save them, create new ones under Your login, Second factors.</p>
<div class="row"><button class="btn">Log in</button></div></form>`,
      ),
  };
}
