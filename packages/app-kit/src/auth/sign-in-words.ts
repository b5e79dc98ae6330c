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
const contactSupport = 'Signing in again seldom helps. Tell Support the trace id below.';
const misconfigured = (what: string) =>
  words(
    'The sign-in is not set up right',
    `${what} This is not your doing: portal and sign-in service do not fit together.`,
    contactSupport,
    'support',
  );

/** Answers of the provider by their code: RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6, Unmet Authentication Requirements 1.0. */
const byCode: Readonly<Record<string, SignInWords>> = {
  access_denied: words('The sign-in was not completed', 'It was cancelled or refused on the sign-in page.', 'Sign in again to go on.'),
  login_required: words(
    'You are not signed in any more',
    'The sign-in service was asked whether you are still signed in, and you are not.',
    'Sign in again to go on.',
  ),
  interaction_required: words(
    'The sign-in service has a question for you',
    'It could not sign you in without showing you a page.',
    'Sign in again and answer what it asks.',
  ),
  consent_required: words(
    'The sign-in service needs your consent',
    'You have not agreed yet that it tells the portal who you are.',
    'Sign in again and agree, or use another login.',
  ),
  account_selection_required: words(
    'Choose one of your logins',
    'You are signed in with several logins, and the sign-in service does not know which you mean.',
    'Sign in again and choose one.',
  ),
  unmet_authentication_requirements: words(
    messages.mfaNotEnabled,
    'What you were about to do needs a second factor, and your login could not give one.',
    'Enable MFA for your login, log out and log in again.',
    'enable-mfa',
  ),
  invalid_request: misconfigured('The sign-in service could not read the request.'),
  unauthorized_client: misconfigured('The sign-in service does not let this portal sign people in this way.'),
  unsupported_response_type: misconfigured('The sign-in service does not offer the authorization code flow.'),
  invalid_scope: misconfigured('The sign-in service refuses what the portal asks to know about you.'),
  invalid_client: misconfigured('The sign-in service does not know this portal.'),
  invalid_grant: words(
    'This sign-in was already used',
    'The sign-in service does not accept its code: it was used once, waited too long, or the page was loaded again.',
    'Sign in again.',
  ),
  server_error: words('The sign-in service has a problem', 'Something went wrong there while it signed you in.', waitAMinute),
  temporarily_unavailable: words('The sign-in service is busy', 'It cannot sign anybody in at the moment.', waitAMinute),
};

const unknownCode = words(
  'The sign-in service refused',
  'It answered with an error that the portal does not know.',
  'Sign in again. If it keeps refusing, tell Support the trace id below.',
);

/** Messages of the library, the browser and the checks of this portal; the first that fits. */
const byMessage: readonly (readonly [RegExp, SignInWords])[] = [
  [
    /authority mismatch|client_id mismatch|No client_id on state|No authority on state/,
    words(
      'This sign-in belongs to another sign-in service',
      'It was started when the portal used another sign-in service or another name there.',
      'Sign in again: the new sign-in uses the current one.',
    ),
  ],
  [
    /no state in response/i,
    words(
      'There is no sign-in to finish here',
      'This address is where the sign-in service sends people back to; it was opened without its answer.',
      'Sign in from the start, and bookmark the page you come to then.',
    ),
  ],
  [
    /no matching state|Expected code in response/i,
    words(
      'This sign-in cannot be continued',
      'It was started more than 15 minutes ago, in another browser, or it was finished already.',
      'Sign in again.',
    ),
  ],
  [
    /state does not match/i,
    words(
      'This sign-in does not match its start',
      'The answer belongs to another sign-in than the one this browser started. Nobody was signed in.',
      'Sign in again, in one tab only.',
    ),
  ],
  [
    /nonce in id_token/i,
    words(
      'This sign-in does not match its start',
      'The answer carries the mark of another sign-in than the one this browser started. Nobody was signed in.',
      'Sign in again, in one tab only.',
    ),
  ],
  [
    /^Network timed out/,
    words(
      'The sign-in service did not answer in time',
      'The portal waited 10 seconds for an answer.',
      'Check the connection, then sign in again.',
    ),
  ],
  [
    /^IFrame timed out/,
    words(
      'The sign-in service did not answer in time',
      'It was asked in the background whether you are still signed in, and gave no answer within 10 seconds.',
      'Check the connection, then sign in again.',
    ),
  ],
  [
    /^Popup (closed|aborted)/,
    words(
      'The sign-in window was closed',
      'It was closed before the sign-in was finished.',
      'Sign in again and leave the window open until it closes by itself.',
    ),
  ],
  [
    /popup.*block|disposed window/i,
    words(
      'The browser blocked the sign-in window',
      'The portal was not allowed to open a window.',
      'Allow windows for this site, then sign in again.',
    ),
  ],
  [
    /use_dpop_nonce|dpop/i,
    words(
      'The sign-in service asked for a proof the portal does not give',
      'It challenged the portal with a nonce (DPoP), twice or without the portal having such a key.',
      contactSupport,
      'support',
    ),
  ],
  [
    /missing a subject|missing part|without an identity token or subject/i,
    words(
      'The sign-in service did not say who you are',
      'Its answer has no identity token, or one without a person.',
      contactSupport,
      'support',
    ),
  ],
  [
    /UserInfo response|sub in id_token|subject does not match/i,
    words(
      'The sign-in service named two different people',
      'Parts of its answer belong to different people. Nobody was signed in.',
      'Log out at the sign-in service, then sign in again. If it stays so, tell Support the trace id below.',
    ),
  ],
  [
    /azp|meant for another client/i,
    words(
      'This sign-in is meant for another system',
      'The identity token was made for another system than this portal.',
      contactSupport,
      'support',
    ),
  ],
  [
    /auth_time/i,
    words(
      'This sign-in is older than the one before',
      'The sign-in service renewed an older sign-in than the one you had.',
      'Sign in again.',
    ),
  ],
  [
    /had expired on arrival/,
    words(
      'The sign-in had expired on arrival',
      'The identity token ended before it reached this browser.',
      'Check date and time of this device, then sign in again.',
    ),
  ],
  [
    /issuer of the provider does not match|issued by another provider/,
    words(
      'This is not the sign-in service of the portal',
      'The answer comes from another sign-in service than the one the portal trusts. Nobody was signed in.',
      contactSupport,
      'support',
    ),
  ],
  [
    /three parts|parts cannot be read|not signed with a key|signature is not|Invalid token|InvalidTokenError/i,
    words(
      'The identity token cannot be trusted',
      'It is damaged, or it is not signed by the sign-in service. Nobody was signed in.',
      contactSupport,
      'support',
    ),
  ],
  [
    /refused by the registry/,
    words(
      'The registry did not accept this sign-in',
      'The sign-in service signed you in, and the registry refused its identity token.',
      contactSupport,
      'support',
    ),
  ],
  [
    /quota|exceeded the/i,
    words(
      'The browser has no room to keep the sign-in',
      'The storage this site may use is full.',
      'Delete the data of this site in the browser’s settings, then sign in again.',
    ),
  ],
  [
    /Access is denied for this document|SecurityError|storage|The operation is insecure/i,
    words(
      'The browser keeps nothing for this site',
      'Signing in needs the storage of the browser, which is switched off for this site.',
      'Allow cookies and site data for this site, then sign in again.',
    ),
  ],
  [
    /Invalid response Content-Type|\(5\d\d\)|Unexpected token|JSON/i,
    words('The sign-in service is not available', 'Something else answered in its place: it may be under maintenance.', waitAMinute),
  ],
  [
    /failed to fetch|networkerror|load failed|network/i,
    words('The sign-in service could not be reached', 'There was no connection to it.', 'Check the connection, then sign in again.'),
  ],
  [
    /Metadata does not contain|\(4\d\d\)|No authority or metadataUrl/,
    misconfigured('The description of the sign-in service lacks what the portal needs.'),
  ],
];

const unknown = words(
  'The sign-in failed',
  'The portal does not know why.',
  'Sign in again. If it keeps failing, tell Support the trace id below.',
);

/** The words for a failed sign-in. The provider's own code comes before anything that only looks like one. */
export function signInWords({ code, detail, name }: SignInFailure): SignInWords {
  if (code !== null) return Object.hasOwn(byCode, code) ? byCode[code]! : unknownCode;
  const said = `${detail} ${name}`;
  return byMessage.find(([pattern]) => pattern.test(said))?.[1] ?? unknown;
}
