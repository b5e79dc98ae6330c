import { UserManager } from 'oidc-client-ts';

// Only hands the address of this frame to the page around it; the settings are that page's.
void new UserManager({
  authority: '-',
  client_id: '-',
  redirect_uri: '-',
  response_mode: 'query',
  automaticSilentRenew: false,
}).signinSilentCallback();
