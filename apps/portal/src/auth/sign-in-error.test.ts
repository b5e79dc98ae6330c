import { expect, it } from 'vitest';
import { signInProblem } from './sign-in-error.ts';

it.each([
  ['No matching state found in storage', 'This sign-in cannot be continued'],
  ['No state in response', 'This sign-in cannot be continued'],
  ['State does not match', 'This sign-in cannot be continued'],
  ['Network timed out', 'The sign-in service did not answer in time'],
  ['IFrame timed out without a response', 'The sign-in service did not answer in time'],
  ['Failed to fetch', 'The sign-in service could not be reached'],
  ['ID Token is missing a subject claim', 'The sign-in failed'],
  ['nonce in id_token does not match nonce in client storage', 'The sign-in failed'],
])('"%s": %s', (message, title) => {
  const problem = signInProblem(new Error(message));
  expect(problem.title).toBe(title);
  expect(problem.detail).toBe(message);
  expect(problem.advice).not.toBe('');
});

it('an error answer keeps the provider’s code and description', () => {
  expect(signInProblem({ error: 'access_denied', error_description: 'End-User aborted interaction' })).toMatchObject({
    title: 'The sign-in was not completed',
    detail: 'access_denied: End-User aborted interaction',
  });
  expect(signInProblem({ error: 'server_error' }).title).toBe('The sign-in service has a problem');
  expect(signInProblem({ error: 'invalid_scope' }).title).toBe('The sign-in service refused');
});

it('something that is no error at all still gives a page', () => {
  expect(signInProblem(undefined).title).toBe('The sign-in failed');
});
