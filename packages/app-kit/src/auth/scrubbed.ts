/** Values that must not leave the browser: of the sign-in's query, and tokens wherever they stand. */
export const scrubbed = (text: string): string =>
  text
    .replace(/([?&#;\s"]|^)(code|state|id_token_hint|session_state)=[^&#\s"]*/g, '$1$2=[removed]')
    // The code of an error item, which stands before its message, says what went wrong; every other code is one of the sign-in.
    .replace(/"code":\s*"(?![A-Z][A-Z0-9_]*",\s*"message":)[^"]*"/g, '"code":"[removed]"')
    .replace(/"(state|nonce|code_verifier|(?:access|refresh|id)_token)":\s*"[^"]*"/g, '"$1":"[removed]"')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]');
