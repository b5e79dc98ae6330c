import { ErrorResponse } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { isStaleCallback, signInFailure } from './sign-in-error.ts';

it('an answer of the provider keeps its code and description', () => {
  const failure = signInFailure(new ErrorResponse({ error: 'access_denied', error_description: 'End-User aborted interaction' }));
  expect(failure).toMatchObject({ code: 'access_denied', detail: 'End-User aborted interaction' });
});

it('shown and reported texts contain neither code, state nor token', () => {
  const secrets = ['c0de-of-the-callback', 'st4te-of-the-callback'];
  const messages = [
    'The code c0de-of-the-callback was used',
    'Bad Request (400): {"code":"c0de-of-the-callback","refresh_token":"r3fresh"}',
    'Invalid response Content-Type: text/html, from URL: https://id.example.net/token?code=c0de-of-the-callback#st4te-of-the-callback',
    'token eyJhbGciOi.eyJzdWIi.c2ln is damaged',
  ];
  for (const message of messages) {
    const { detail } = signInFailure(new Error(message), secrets);
    expect(detail).not.toMatch(/c0de|st4te|r3fresh|eyJ/);
    expect(detail).not.toBe('');
  }
  // The library keeps the whole token request with the error.
  const withRequest = new ErrorResponse({ error: 'invalid_grant' }, new URLSearchParams({ code: secrets[0]!, code_verifier: 'v3rifier' }));
  expect(JSON.stringify(signInFailure(withRequest, secrets))).not.toMatch(/c0de|v3rifier/);
});

it('a thrown value that is not an Error is still a failure', () => {
  expect(signInFailure(undefined)).toMatchObject({ code: null, detail: '' });
});

it('an unrequested callback is distinguished from an answer of the provider', () => {
  expect(isStaleCallback(signInFailure(new Error('No matching state found in storage')))).toBe(true);
  expect(isStaleCallback(signInFailure(new Error('No state in response')))).toBe(true);
  expect(isStaleCallback(signInFailure(new Error('State does not match')))).toBe(false);
  expect(isStaleCallback(signInFailure(new ErrorResponse({ error: 'access_denied', error_description: 'No state in response' })))).toBe(
    false,
  );
});
