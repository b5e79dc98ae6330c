import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { signInFailure } from './sign-in-error.ts';
import { signInWords } from './sign-in-words.ts';

const wordsOf = (thrown: unknown) => signInWords(signInFailure(thrown));

// Each is a separate page (specification, section 8).
it.each([
  ['access_denied', 'Sign-in wasn’t completed'],
  ['login_required', 'You’re no longer signed in'],
  ['interaction_required', 'The sign-in service has a question for you'],
  ['consent_required', 'The sign-in service needs your consent'],
  ['account_selection_required', 'Choose one of your logins'],
  ['unmet_authentication_requirements', 'MFA is not enabled!'],
  ['invalid_request', 'Sign-in isn’t set up correctly'],
  ['unauthorized_client', 'Sign-in isn’t set up correctly'],
  ['unsupported_response_type', 'Sign-in isn’t set up correctly'],
  ['invalid_scope', 'Sign-in isn’t set up correctly'],
  ['invalid_client', 'Sign-in isn’t set up correctly'],
  ['invalid_grant', 'This sign-in was already used'],
  ['server_error', 'The sign-in service has a problem'],
  ['temporarily_unavailable', 'The sign-in service is busy'],
  ['of_another_standard', 'The sign-in service refused'],
  ['constructor', 'The sign-in service refused'],
])('the error code %s: %s', (error, title) => {
  expect(wordsOf(new ErrorResponse({ error })).title).toBe(title);
});

it('a person who needs a second factor is asked to enable it, log out and log in again', () => {
  const words = wordsOf(new ErrorResponse({ error: 'unmet_authentication_requirements' }));
  expect(words.advice).toBe('Enable MFA for your login, log out and log in again.');
  expect(words.first).toBe('enable-mfa');
});

it.each([
  [new ErrorTimeout('Network timed out'), 'The sign-in service didn’t answer in time'],
  [new ErrorTimeout('IFrame timed out without a response'), 'The sign-in service didn’t answer in time'],
  [new Error('Popup closed by user'), 'The sign-in window was closed'],
  [new Error('Popup closed'), 'The sign-in window was closed'],
  [new Error('Popup blocked by user'), 'The browser blocked the sign-in window'],
  [new Error('Attempted to navigate on a disposed window'), 'The browser blocked the sign-in window'],
  [new Error('{"error":"use_dpop_nonce"}'), 'The sign-in service asked for an unsupported proof'],
  [new Error('State does not match'), 'This sign-in doesn’t match'],
  [new Error('No matching state found in storage'), 'This sign-in can’t be continued'],
  [new Error('No state in response'), 'No sign-in to finish'],
  [new Error('authority mismatch on settings vs. signin state'), 'This sign-in belongs to another sign-in service'],
  [new Error('client_id mismatch on settings vs. signin state'), 'This sign-in belongs to another sign-in service'],
  [new Error('nonce in id_token does not match nonce in client storage'), 'This sign-in doesn’t match'],
  [new Error('ID Token is missing a subject claim'), 'The sign-in service didn’t say who you are'],
  [new Error('The provider answered without an identity token or subject'), 'The sign-in service didn’t say who you are'],
  [new Error('sub in id_token does not match current sub'), 'The sign-in service named two different people'],
  [new Error('Silent renewal refused: subject does not match the one signed in'), 'The sign-in service named two different people'],
  [new Error('azp in id_token does not match original azp'), 'This sign-in is meant for another system'],
  [new Error('auth_time in id_token does not match original auth_time'), 'This sign-in is older than your last one'],
  [new Error('subject from UserInfo response does not match subject in ID Token'), 'The sign-in service named two different people'],
  [
    new Error('Invalid response Content-Type: text/html, from URL: https://id.example.net/.well-known/openid-configuration'),
    'The sign-in service isn’t available',
  ],
  [new TypeError('Failed to fetch'), 'The sign-in service can’t be reached'],
  [new TypeError('NetworkError when attempting to fetch resource.'), 'The sign-in service can’t be reached'],
  [new TypeError('Load failed'), 'The sign-in service can’t be reached'],
  [new Error('issuer of the provider does not match the one configured'), 'This isn’t the portal’s sign-in service'],
  [new Error('The registry refused the identity token'), 'The registry didn’t accept this sign-in'],
  [new DOMException('Setting the value exceeded the quota.', 'QuotaExceededError'), 'The browser’s storage is full'],
  [new DOMException('Access is denied for this document.', 'SecurityError'), 'The browser blocks storage for this site'],
  [new Error('something nobody thought of'), 'Sign-in failed'],
  [undefined, 'Sign-in failed'],
])('%s: %s', (thrown, title) => {
  const words = wordsOf(thrown);
  expect(words.title).toBe(title);
  expect(words.happened).not.toBe('');
  expect(words.advice).not.toBe('');
});
