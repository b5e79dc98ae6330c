/** Removes values that must not leave the browser: the sign-in's query and what was typed into a search, encoded or not, links that give access, and tokens anywhere. */
export const scrubbed = (text: string): string =>
  text
    .replace(/([?&#;\s"]|^)(code|state|nonce|id_token_hint|session_state|q)=[^&#\s"]*/g, '$1$2=[removed]')
    .replace(/(%3F|%26|%23)(code|state|nonce|id_token_hint|session_state|q)%3D(?:(?!%26|%23)[^&#\s"])*/gi, '$1$2%3D[removed]')
    // The code of an error item, which precedes its message, is kept; every other code belongs to the sign-in.
    .replace(/"code":\s*"(?![A-Z][A-Z0-9_]*",\s*"message":)[^"]*"/g, '"code":"[removed]"')
    .replace(/"(state|nonce|session_state|code_verifier|id_token_hint|(?:access|refresh|id)_token)":\s*"[^"]*"/g, '"$1":"[removed]"')
    .replace(/(\/(?:accept-)?(?:referrals?|invitations?)\/)[\w-]{16,}/g, '$1[removed]')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]');
