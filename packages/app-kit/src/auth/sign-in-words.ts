import { messages } from '@portal/contract';
import type { SignInFailure } from './sign-in-error.ts';

/** A failed sign-in in words (specification, section 8): its title, what happened, what to do. */
export type SignInWords = {
  title: string;
  happened: string;
  advice: string;
  /** The first of the next steps; usually signing in again. */
  first: 'again' | 'enable-mfa' | 'support';
};

const words = (title: string, happened: string, advice: string, first: SignInWords['first'] = 'again'): SignInWords => ({
  title,
  happened,
  advice,
  first,
});

const waitAMinute = 'Wait a minute, then sign in again.';
const contactSupport = 'Signing in again rarely helps. Tell Support the trace ID below.';
const misconfigured = (what: string) =>
  words(
    'Sign-in isn’t set up correctly',
    `${what} The portal and the sign-in service don’t match. This isn’t your fault.`,
    contactSupport,
    'support',
  );

/** Answers of the provider by their code: RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6, Unmet Authentication Requirements 1.0. */
const byCode: Readonly<Record<string, SignInWords>> = {
  access_denied: words('Sign-in wasn’t completed', 'It was cancelled or refused on the sign-in page.', 'Sign in again to continue.'),
  login_required: words('You’re no longer signed in', 'Your session at the sign-in service has ended.', 'Sign in again to continue.'),
  interaction_required: words(
    'The sign-in service has a question for you',
    'It needs to show you a page before it can sign you in.',
    'Sign in again and answer what it asks.',
  ),
  consent_required: words(
    'The sign-in service needs your consent',
    'You haven’t yet agreed to share who you are with the portal.',
    'Sign in again and agree, or use another login.',
  ),
  account_selection_required: words('Choose one of your logins', 'You’re signed in with several logins.', 'Sign in again and choose one.'),
  unmet_authentication_requirements: words(
    messages.mfaNotEnabled,
    'This action needs two-factor authentication, which your login doesn’t have.',
    'Enable MFA for your login, log out and log in again.',
    'enable-mfa',
  ),
  invalid_request: misconfigured('The sign-in service couldn’t read the request.'),
  unauthorized_client: misconfigured('The sign-in service doesn’t allow this portal to sign people in this way.'),
  unsupported_response_type: misconfigured('The sign-in service doesn’t support the authorization code flow.'),
  invalid_scope: misconfigured('The sign-in service refuses the scopes the portal requests.'),
  invalid_client: misconfigured('The sign-in service doesn’t know this portal.'),
  invalid_grant: words(
    'This sign-in was already used',
    'Its code was already used or has expired, or the page was reloaded.',
    'Sign in again.',
  ),
  server_error: words('The sign-in service has a problem', 'Something went wrong there while it signed you in.', waitAMinute),
  temporarily_unavailable: words('The sign-in service is busy', 'It can’t sign anyone in right now.', waitAMinute),
};

const unknownCode = words(
  'The sign-in service refused',
  'It returned an unknown error.',
  'Sign in again. If it keeps happening, tell Support the trace ID below.',
);

/** Messages of the library, the browser and the checks of this portal; the first that fits. */
const byMessage: readonly (readonly [RegExp, SignInWords])[] = [
  [
    /authority mismatch|client_id mismatch|No client_id on state|No authority on state/,
    words(
      'This sign-in belongs to another sign-in service',
      'It started when the portal used another sign-in service or client name.',
      'Sign in again: the new sign-in uses the current one.',
    ),
  ],
  [
    /no state in response/i,
    words(
      'No sign-in to finish',
      'This address is for returning from the sign-in service. It was opened without an answer.',
      'Sign in from the home page and bookmark that page.',
    ),
  ],
  [
    /no matching state|Expected code in response/i,
    words(
      'This sign-in can’t be continued',
      'It started more than 15 minutes ago or in another browser, or it’s already finished.',
      'Sign in again.',
    ),
  ],
  [
    /state does not match/i,
    words(
      'This sign-in doesn’t match',
      'The answer belongs to a sign-in that this browser didn’t start. You weren’t signed in.',
      'Sign in again, in one tab only.',
    ),
  ],
  [
    /nonce in id_token/i,
    words(
      'This sign-in doesn’t match',
      'The answer is marked for a sign-in that this browser didn’t start. You weren’t signed in.',
      'Sign in again, in one tab only.',
    ),
  ],
  [
    /^Network timed out/,
    words(
      'The sign-in service didn’t answer in time',
      'The portal waited 10 seconds for an answer.',
      'Check your connection, then sign in again.',
    ),
  ],
  [
    /^IFrame timed out/,
    words(
      'The sign-in service didn’t answer in time',
      'It didn’t answer within 10 seconds when the portal checked your session.',
      'Check your connection, then sign in again.',
    ),
  ],
  [
    /^Popup (closed|aborted)/,
    words(
      'The sign-in window was closed',
      'It was closed before the sign-in was finished.',
      'Sign in again and leave the window open until it closes automatically.',
    ),
  ],
  [
    /popup.*block|disposed window/i,
    words(
      'The browser blocked the sign-in window',
      'The browser didn’t let the portal open a window.',
      'Allow windows for this site, then sign in again.',
    ),
  ],
  [
    /use_dpop_nonce|dpop/i,
    words(
      'The sign-in service asked for an unsupported proof',
      'It sent a DPoP challenge that the portal can’t answer.',
      contactSupport,
      'support',
    ),
  ],
  [
    /missing a subject|missing part|without an identity token or subject/i,
    words(
      'The sign-in service didn’t say who you are',
      'Its answer has no identity token, or one without a subject.',
      contactSupport,
      'support',
    ),
  ],
  [
    /UserInfo response|sub in id_token|subject does not match/i,
    words(
      'The sign-in service named two different people',
      'Parts of its answer belong to different people. You weren’t signed in.',
      'Log out at the sign-in service, then sign in again. If it keeps happening, tell Support the trace ID below.',
    ),
  ],
  [
    /azp|meant for another client/i,
    words('This sign-in is meant for another system', 'The identity token was issued for another system.', contactSupport, 'support'),
  ],
  [/auth_time/i, words('This sign-in is older than your last one', 'The sign-in service renewed an older session.', 'Sign in again.')],
  [
    /had expired on arrival/,
    words(
      'The sign-in had expired on arrival',
      'The identity token expired before it reached this browser.',
      'Check the date and time of this device, then sign in again.',
    ),
  ],
  [
    /issuer of the provider does not match|issued by another provider/,
    words(
      'This isn’t the portal’s sign-in service',
      'The answer comes from a sign-in service the portal doesn’t trust. You weren’t signed in.',
      contactSupport,
      'support',
    ),
  ],
  [
    /three parts|parts cannot be read|not signed with a key|signature is not|Invalid token|InvalidTokenError/i,
    words(
      'The identity token can’t be trusted',
      'It’s damaged or not signed by the sign-in service. You weren’t signed in.',
      contactSupport,
      'support',
    ),
  ],
  [
    /refused the identity token/,
    words(
      'The registry didn’t accept this sign-in',
      'The registry rejected the identity token of the sign-in service.',
      contactSupport,
      'support',
    ),
  ],
  [
    /quota|exceeded the/i,
    words(
      'The browser’s storage is full',
      'There is no room to store the sign-in.',
      'Delete this site’s data in the browser’s settings, then sign in again.',
    ),
  ],
  [
    /Access is denied for this document|SecurityError|storage|The operation is insecure/i,
    words(
      'The browser blocks storage for this site',
      'Signing in needs browser storage, which is switched off for this site.',
      'Allow cookies and site data for this site, then sign in again.',
    ),
  ],
  [
    /Invalid response Content-Type|\(5\d\d\)|Unexpected token|JSON/i,
    words('The sign-in service isn’t available', 'It may be under maintenance.', waitAMinute),
  ],
  [
    /failed to fetch|networkerror|load failed|network/i,
    words('The sign-in service can’t be reached', 'The connection failed.', 'Check your connection, then sign in again.'),
  ],
  [/Metadata does not contain|\(4\d\d\)|No authority or metadataUrl/, misconfigured('The sign-in service’s configuration is incomplete.')],
];

const unknown = words('Sign-in failed', 'The reason is unknown.', 'Sign in again. If it keeps failing, tell Support the trace ID below.');

/** The message for a failed sign-in. The provider's own code takes precedence over text that looks like one. */
export function signInWords({ code, detail, name }: SignInFailure): SignInWords {
  if (code !== null) return Object.hasOwn(byCode, code) ? byCode[code]! : unknownCode;
  const said = `${detail} ${name}`;
  return byMessage.find(([pattern]) => pattern.test(said))?.[1] ?? unknown;
}
