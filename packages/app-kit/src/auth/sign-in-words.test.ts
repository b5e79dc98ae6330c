import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { signInFailure } from './sign-in-error.ts';
import { signInWords } from './sign-in-words.ts';

const wordsOf = (thrown: unknown) => signInWords(signInFailure(thrown));

// Each is a separate page (specification, section 8).
it.each([
  ['access_denied', 'The sign-in was not completed'],
  ['login_required', 'You are not signed in any more'],
  ['interaction_required', 'The sign-in service has a question for you'],
  ['consent_required', 'The sign-in service needs your consent'],
  ['account_selection_required', 'Choose one of your logins'],
  ['unmet_authentication_requirements', 'MFA is not enabled!'],
  ['invalid_request', 'The sign-in is not set up right'],
  ['unauthorized_client', 'The sign-in is not set up right'],
  ['unsupported_response_type', 'The sign-in is not set up right'],
  ['invalid_scope', 'The sign-in is not set up right'],
  ['invalid_client', 'The sign-in is not set up right'],
  ['invalid_grant', 'This sign-in was already used'],
  ['server_error', 'The sign-in service has a problem'],
  ['temporarily_unavailable', 'The sign-in service is busy'],
  ['of_another_standard', 'The sign-in service refused'],
  ['constructor', 'The sign-in service refused'],
])('the error code %s: %s', (error, title) => {
  expect(wordsOf(new ErrorResponse({ error })).title).toBe(title);
});

it('a person who needs a second factor is told to enable it, log out and log in again', () => {
  const words = wordsOf(new ErrorResponse({ error: 'unmet_authentication_requirements' }));
  expect(words.advice).toBe('Enable MFA for your login, log out and log in again.');
  expect(words.first).toBe('enable-mfa');
});

it.each([
  [new ErrorTimeout('Network timed out'), 'The sign-in service did not answer in time'],
  [new ErrorTimeout('IFrame timed out without a response'), 'The sign-in service did not answer in time'],
  [new Error('Popup closed by user'), 'The sign-in window was closed'],
  [new Error('Popup closed'), 'The sign-in window was closed'],
  [new Error('Popup blocked by user'), 'The browser blocked the sign-in window'],
  [new Error('Attempted to navigate on a disposed window'), 'The browser blocked the sign-in window'],
  [new Error('{"error":"use_dpop_nonce"}'), 'The sign-in service asked for a proof the portal does not give'],
  [new Error('State does not match'), 'This sign-in does not match its start'],
  [new Error('No matching state found in storage'), 'This sign-in cannot be continued'],
  [new Error('No state in response'), 'There is no sign-in to finish here'],
  [new Error('authority mismatch on settings vs. signin state'), 'This sign-in belongs to another sign-in service'],
  [new Error('client_id mismatch on settings vs. signin state'), 'This sign-in belongs to another sign-in service'],
  [new Error('nonce in id_token does not match nonce in client storage'), 'This sign-in does not match its start'],
  [new Error('ID Token is missing a subject claim'), 'The sign-in service did not say who you are'],
  [new Error('The provider answered without an identity token or subject'), 'The sign-in service did not say who you are'],
  [new Error('sub in id_token does not match current sub'), 'The sign-in service named two different people'],
  [new Error('Silent renewal refused: subject does not match the one signed in'), 'The sign-in service named two different people'],
  [new Error('azp in id_token does not match original azp'), 'This sign-in is meant for another system'],
  [new Error('auth_time in id_token does not match original auth_time'), 'This sign-in is older than the one before'],
  [new Error('subject from UserInfo response does not match subject in ID Token'), 'The sign-in service named two different people'],
  [
    new Error('Invalid response Content-Type: text/html, from URL: https://id.example.net/.well-known/openid-configuration'),
    'The sign-in service is not available',
  ],
  [new TypeError('Failed to fetch'), 'The sign-in service could not be reached'],
  [new TypeError('NetworkError when attempting to fetch resource.'), 'The sign-in service could not be reached'],
  [new TypeError('Load failed'), 'The sign-in service could not be reached'],
  [new Error('issuer of the provider does not match the one configured'), 'This is not the sign-in service of the portal'],
  [new Error('Identity token refused by the registry'), 'The registry did not accept this sign-in'],
  [new DOMException('Setting the value exceeded the quota.', 'QuotaExceededError'), 'The browser has no room to keep the sign-in'],
  [new DOMException('Access is denied for this document.', 'SecurityError'), 'The browser keeps nothing for this site'],
  [new Error('something nobody thought of'), 'The sign-in failed'],
  [undefined, 'The sign-in failed'],
])('%s: %s', (thrown, title) => {
  const words = wordsOf(thrown);
  expect(words.title).toBe(title);
  expect(words.happened).not.toBe('');
  expect(words.advice).not.toBe('');
});
