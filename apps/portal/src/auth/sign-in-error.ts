/** What went wrong in a sign-in, what to do about it, and the words of the provider or the library. */
export type SignInProblem = { title: string; advice: string; detail: string };

type Failure = { name?: string; message?: string; error?: string | null; error_description?: string | null };

/** A failed sign-in in words (specification section 8, sign-in errors). The library's own messages stay readable as detail. */
export function signInProblem(failure: unknown): SignInProblem {
  const { message = '', error, error_description: description } = (failure ?? {}) as Failure;
  if (error) {
    const detail = description ? `${error}: ${description}` : error;
    if (error === 'access_denied')
      return { title: 'The sign-in was not completed', advice: 'It was cancelled or refused at the sign-in page.', detail };
    if (error === 'temporarily_unavailable' || error === 'server_error')
      return { title: 'The sign-in service has a problem', advice: 'Wait a minute, then sign in again.', detail };
    return { title: 'The sign-in service refused', advice: 'Sign in again. If it keeps refusing, tell Support what stands below.', detail };
  }
  if (/no matching state|no state in response|state does not match/i.test(message))
    return {
      title: 'This sign-in cannot be continued',
      advice: 'It was started more than 15 minutes ago, in another browser, or it was already used. Sign in again.',
      detail: message,
    };
  if (/timed out/i.test(message))
    return { title: 'The sign-in service did not answer in time', advice: 'Check the connection, then sign in again.', detail: message };
  if (/failed to fetch|networkerror|load failed/i.test(message))
    return { title: 'The sign-in service could not be reached', advice: 'Check the connection, then sign in again.', detail: message };
  return {
    title: 'The sign-in failed',
    advice: 'Sign in again. If it keeps failing, tell Support what stands below.',
    detail: message || String(failure),
  };
}
